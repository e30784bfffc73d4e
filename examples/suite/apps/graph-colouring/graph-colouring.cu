// Graph colouring (ScoRD, Table II and Figure 3): rounds of three kernels, which colour
// vertices, look for conflicts, and forbid colours. Vertices or edges are shared out
// among the blocks; a block that has done its share steals from others.
#include "../apps.h"

// *_own: a block takes from its own share with block scope, though others steal from it.
// *_barrier: no barrier before the block reads which chunk its first thread took.
RACES(assign_own, assign_barrier, detect_own, detect_barrier, forbid_own, forbid_barrier)

// What a block works on: item belongs to this thread. head counts the chunks that are
// taken from each share, taken is the chunk that the block is at.
struct work {
  unsigned chunks, *head, *taken, looked, item;
};

// Goes on to the next chunk, of the own share or of another; false when there is none.
static __device__ __forceinline__ bool next(work &w, scope_name own, bool barrier) {
  unsigned chunk = NOTHING;
  if (threadIdx.x == 0) {
    for (; chunk == NOTHING && w.looked < gridDim.x; w.looked += chunk == NOTHING) {
      unsigned b = (blockIdx.x + w.looked) % gridDim.x;
      if (w.looked == 0)
        chunk = add(own, &w.head[b], 1u);  // A
      else
        chunk = atomicAdd(&w.head[b], 1u);  // B
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

// Colours vertices that have none or must change theirs. Colours are 1 to 31.
__global__ void assign(unsigned *colour, unsigned *redo, const unsigned *forbidden, unsigned vertices,
                       unsigned *head, unsigned *taken, unsigned launch) {
  work w = {chunks_of(vertices), head + launch * gridDim.x, taken, 0, 0};
  while (next(w, SCOPE(assign_own), !race(assign_barrier))) {
    unsigned v = w.item;
    if (v >= vertices || (colour[v] != 0 && redo[v] == 0))
      continue;
    unsigned free = ~forbidden[v] & ~1u;
    unsigned later = free & ~0u << (1 + v * 2654435761u / (1u << 29));
    colour[v] = __ffs(later ? later : free) - 1;
    redo[v] = 0;
  }
}

// Of two neighbours with one colour, the later one must change.
__global__ void detect(const unsigned *from, const unsigned *to, unsigned edges, const unsigned *colour, unsigned *redo,
                       unsigned *head, unsigned *taken, unsigned launch) {
  work w = {chunks_of(edges), head + launch * gridDim.x, taken, 0, 0};
  while (next(w, SCOPE(detect_own), !race(detect_barrier)))
    if (w.item < edges) {
      unsigned a = from[w.item], b = to[w.item];
      if (a != b && colour[a] == colour[b])
        atomicExch(&redo[max(a, b)], 1u);
    }
}

// A vertex that must change may not take the colour of a neighbour that keeps its own.
__global__ void forbid(const unsigned *from, const unsigned *to, unsigned edges, const unsigned *colour,
                       const unsigned *redo, unsigned *forbidden, unsigned *head, unsigned *taken, unsigned launch) {
  work w = {chunks_of(edges), head + launch * gridDim.x, taken, 0, 0};
  while (next(w, SCOPE(forbid_own), !race(forbid_barrier)))
    if (w.item < edges) {
      unsigned a = from[w.item], b = to[w.item];
      if (redo[a] != redo[b])
        atomicOr(&forbidden[redo[a] ? a : b], 1u << colour[redo[a] ? b : a]);
    }
}
