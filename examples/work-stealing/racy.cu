// Each block takes items from its own queue, then steals from its neighbour's
// (ScoRD, Figure 3). The owner's atomic has block scope: it is atomic with respect to
// its own block only, and the thief is in another.
#include <cuda_runtime.h>

__device__ void work(unsigned *done, unsigned item) { done[item] = item + 1; }

__global__ void steal(unsigned *head, unsigned *done, unsigned items) {
  if (threadIdx.x != 0)
    return;
  unsigned own = blockIdx.x, victim = (own + 1) % gridDim.x;
  for (;;) {
    unsigned i = atomicAdd_block(&head[own], 1u);
    if (i >= items)
      break;
    work(done, own * items + i);
  }
  for (;;) {
    unsigned i = atomicAdd(&head[victim], 1u);
    if (i >= items)
      break;
    work(done, victim * items + i);
  }
}
