// Warp 0 adds atomically to a shared counter, warp 1 reads it with a plain load.
#include "../micro.h"

__shared__ unsigned count;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (WARP(0))
    atomicAdd_block(&count, 1u);  // A
#ifdef FIXED
  __syncthreads();
#endif
  if (WARP(1))
    out[0] = count;  // B
}
