// The fences of the grid barrier have block scope.
#include "../micro.h"

__device__ unsigned arrived;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i + 1;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x)
      ;
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
