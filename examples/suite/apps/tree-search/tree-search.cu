// Unbalanced tree search (ScoRD, Table II): the number of a node's children follows from a
// hash. Each block has a stack of its own and one from which any block steals, under a
// lock. The first stack starts with the roots of the trees.
#include "../apps.h"

// publish_*: the owner of a stack uses block scope to take its lock, to drop it, or for
// the count of what can be stolen. steal_*: who steals does.
RACES(publish_cas, publish_exch, publish_count, steal_cas, steal_exch, steal_count)

// A node is a hash with its depth in the last four bits.
PTXSAN_BUILTIN unsigned children(unsigned node, unsigned depth, unsigned average) {
  return node % 16 < depth ? (node >> 8) % (2 * average + 1) : 0;
}
PTXSAN_BUILTIN unsigned child(unsigned node, unsigned i) {
  unsigned h = (node + i * 0x9e3779b9u) * 0x85ebca6bu;
  h = (h ^ h >> 15) * 0xc2b2ae35u;
  return ((h ^ h >> 13) & ~15u) | (node % 16 + 1);
}

// The height of a stack, changed under its lock; the height before is returned.
PTXSAN_BUILTIN unsigned grow(volatile unsigned *height, unsigned by) {
  unsigned h = *height;
  *height = h + by;
  return h;
}
PTXSAN_BUILTIN unsigned shrink(volatile unsigned *height, unsigned by) {
  unsigned h = *height;
  *height = h - min(h, by);
  return h;
}

// What all blocks see: for each stack a lock, the height, and a count to look at before
// the lock is worth taking; the nodes that nobody has visited; how many nodes there are,
// and the sum of all. Stacks hold size nodes each, own ones and others.
struct shared_state {
  unsigned *lock;
  volatile unsigned *height;
  unsigned *count;
  volatile unsigned *stack;
  unsigned *own, *pending, *nodes, *sum, size;
};

// Leaves keep nodes on the own stack of n and puts the others where they can be stolen.
static __device__ __forceinline__ unsigned publish(const shared_state &s, unsigned n, unsigned keep) {
  unsigned b = blockIdx.x;
  if (n <= keep)
    return n;
  while (cas(SCOPE(publish_cas), &s.lock[b], 0u, 1u) != 0)  // A
    ;
  __threadfence();
  unsigned at = grow(&s.height[b], n - keep);  // B
  for (unsigned i = keep; i < n; i++)
    s.stack[b * s.size + at + i - keep] = s.own[b * s.size + i];  // C
  exch(SCOPE(publish_count), &s.count[b], at + n - keep);  // D
  __threadfence();
  exch(SCOPE(publish_exch), &s.lock[b], 0u);  // E
  return keep;
}

// Takes up to most nodes from the first stack that has any, and returns how many.
static __device__ __forceinline__ unsigned steal(const shared_state &s, unsigned most) {
  unsigned got = 0;
  for (unsigned i = 0; i < gridDim.x && got == 0; i++) {
    unsigned b = (blockIdx.x + i) % gridDim.x;
    if (add(SCOPE(steal_count), &s.count[b], 0u) == 0)  // F
      continue;
    while (cas(SCOPE(steal_cas), &s.lock[b], 0u, 1u) != 0)  // G
      ;
    __threadfence();
    unsigned h = shrink(&s.height[b], most);  // H
    for (got = 0; got < min(h, most); got++)
      s.own[blockIdx.x * s.size + got] = s.stack[b * s.size + h - 1 - got];  // I
    exch(SCOPE(steal_count), &s.count[b], h - got);  // J
    __threadfence();
    exch(SCOPE(steal_exch), &s.lock[b], 0u);  // K
  }
  return got;
}

// Puts the roots of the trees on the first stack.
__global__ void plant(const unsigned *roots, unsigned n, unsigned *stack) {
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
    stack[i] = roots[i];
}

__global__ void search(shared_state s, unsigned depth, unsigned average, unsigned keep) {
  __shared__ unsigned n, from;  // nodes on the own stack, and the first of those at hand
  __shared__ bool done;
  unsigned *own = s.own + blockIdx.x * s.size;
  unsigned nodes = 0, sum = 0;
  if (threadIdx.x == 0)
    n = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      n = publish(s, n, keep);
      if (n == 0)
        n = steal(s, keep);
      done = n == 0 && atomicAdd(s.pending, 0u) == 0;
      from = n - min(n, blockDim.x);
    }
    __syncthreads();
    if (done)
      break;
    unsigned last = n, node = 0;
    if (from + threadIdx.x < last)
      node = own[from + threadIdx.x];
    unsigned first = from;
    __syncthreads();
    if (threadIdx.x == 0)
      n = first;
    __syncthreads();
    if (first + threadIdx.x < last) {
      unsigned many = children(node, depth, average);
      unsigned at = atomicAdd(&n, many);
      for (unsigned i = 0; i < many; i++)
        own[at + i] = child(node, i);
      atomicAdd(s.pending, many - 1);
      nodes++;
      sum += node;
    }
    __syncthreads();
  }
  atomicAdd(s.nodes, nodes);
  atomicAdd(s.sum, sum);
}
