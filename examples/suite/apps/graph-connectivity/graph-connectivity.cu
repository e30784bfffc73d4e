// Connected components (ScoRD, Table II): three kernels make every vertex a tree, link the
// trees at the two ends of every edge, and look up the roots. Vertices or edges are shared
// out among the blocks; a block that has done its share steals from others.
#include "../apps.h"

// *_barrier: no barrier before the block reads which chunk its first thread took.
// *_steal: a block takes from the shares of others with block scope.
RACES(init_barrier, link_barrier, link_steal, compress_barrier, compress_steal)

// What a block works on: item belongs to this thread. head counts the chunks that are
// taken from each share, taken is the chunk that the block is at.
struct work {
  unsigned chunks, *head, *taken, looked, item;
};

// Goes on to the next chunk, of the own share or of another; false when there is none.
static __device__ __forceinline__ bool next(work &w, scope_name steal, bool barrier) {
  unsigned chunk = NOTHING;
  if (threadIdx.x == 0) {
    for (; chunk == NOTHING && w.looked < gridDim.x; w.looked += chunk == NOTHING) {
      unsigned b = (blockIdx.x + w.looked) % gridDim.x;
      if (w.looked == 0)
        chunk = atomicAdd(&w.head[b], 1u);  // A
      else
        chunk = add(steal, &w.head[b], 1u);  // B
      chunk += share(b, w.chunks);
      if (chunk >= share(b + 1, w.chunks))
        chunk = NOTHING;
    }
    w.taken[blockIdx.x] = chunk;  // C
  }
  if (barrier)
    __syncthreads();
  w.item = w.taken[blockIdx.x] * blockDim.x + threadIdx.x;  // D
  return __syncthreads_or(chunk != NOTHING);
}

__global__ void init(unsigned *parent, unsigned vertices, unsigned *head, unsigned *taken) {
  work w = {chunks_of(vertices), head, taken, 0, 0};
  while (next(w, device_scope, !race(init_barrier)))
    if (w.item < vertices)
      parent[w.item] = w.item;
}

// The root above a vertex, while others link: parents are read atomically.
PTXSAN_BUILTIN unsigned root(unsigned *parent, unsigned v) {
  for (unsigned p; (p = atomicOr((int *)&parent[v], 0)) != v; v = p)
    ;
  return v;
}

// Parents are never larger than their children, so that the larger root goes below the
// smaller. If it was no root any more, its parent of then is linked, too.
__global__ void link(const unsigned *from, const unsigned *to, unsigned edges, unsigned *parent, unsigned *head,
                     unsigned *taken) {
  work w = {chunks_of(edges), head, taken, 0, 0};
  while (next(w, SCOPE(link_steal), !race(link_barrier))) {
    if (w.item >= edges)
      continue;
    unsigned a = from[w.item], b = to[w.item];
    for (;;) {
      a = root(parent, a);
      b = root(parent, b);
      if (a == b)
        break;
      unsigned high = max(a, b), low = min(a, b);
      a = atomicMin(&parent[high], low);
      b = low;
      if (a == high)
        break;
    }
  }
}

__global__ void compress(const unsigned *parent, unsigned *component, unsigned vertices, unsigned *head,
                         unsigned *taken) {
  work w = {chunks_of(vertices), head, taken, 0, 0};
  while (next(w, SCOPE(compress_steal), !race(compress_barrier))) {
    unsigned v = w.item;
    if (v >= vertices)
      continue;
    while (parent[v] != v)
      v = parent[v];
    component[w.item] = v;
  }
}
