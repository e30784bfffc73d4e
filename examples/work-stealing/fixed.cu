// Each block takes items from its own queue, then steals from its neighbour's
// (ScoRD, Figure 3). Owner and thief both use device-scope atomics.
#include <cuda_runtime.h>

__device__ void work(unsigned *done, unsigned item) { done[item] = item + 1; }

__global__ void steal(unsigned *head, unsigned *done, unsigned items) {
  if (threadIdx.x != 0)
    return;
  unsigned own = blockIdx.x, victim = (own + 1) % gridDim.x;
  for (;;) {
    unsigned i = atomicAdd(&head[own], 1u);
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
