// The others of a block do not wait for its thread 0, which waits for the grid.
#include "../micro.h"

__device__ unsigned arrived;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i + 1;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x)
      ;
    __threadfence();
  }
#ifdef FIXED
  __syncthreads();
#endif
  out[i] = data[(i + blockDim.x) % n];  // B
}
