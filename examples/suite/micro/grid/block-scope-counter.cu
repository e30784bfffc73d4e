// The counter of the grid barrier is increased with block scope.
#include "../micro.h"

__device__ unsigned arrived;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i + 1;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
#ifdef FIXED
    atomicAdd(&arrived, 1u);
#else
    atomicAdd_block(&arrived, 1u);  // C
#endif
    while (atomicAdd(&arrived, 0u) < gridDim.x)  // D
      ;
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
