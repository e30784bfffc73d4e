// Every block sums its part of the input; block 0 then adds up the partial sums,
// after a barrier that waits for the whole grid (iGUARD, Figure 3).
#include <cuda_runtime.h>

__device__ unsigned arrived;

// Waits for all blocks of the grid, which must all be resident.
__device__ void grid_sync() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void reduce(const unsigned *in, unsigned *part, unsigned *total, unsigned n) {
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
      sum += in[blockIdx.x * n + i];
    part[blockIdx.x] = sum;
  }
  grid_sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      sum += part[b];
    total[0] = sum;
  }
}
