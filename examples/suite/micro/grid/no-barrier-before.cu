// Thread 0 of each block arrives without waiting for the others of its block.
#include "../micro.h"

__device__ unsigned arrived;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i + 1;  // A
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x)
      ;
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
