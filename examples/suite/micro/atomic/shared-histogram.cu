// A histogram in shared memory, with plain increments or atomics.
#include "../micro.h"

__shared__ unsigned bins[4];

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x < 4)
    bins[threadIdx.x] = 0;
  __syncthreads();
#ifdef FIXED
  atomicAdd_block(&bins[threadIdx.x / 32 % 2], 1u);
#else
  if (LANE == 0)
    bins[threadIdx.x / 64] += 1;  // A
#endif
  __syncthreads();
  if (threadIdx.x < 4)
    out[threadIdx.x] = bins[threadIdx.x];
}
