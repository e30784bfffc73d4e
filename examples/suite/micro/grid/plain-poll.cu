// The wait of the grid barrier polls with a plain load.
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
    while (atomicAdd(&arrived, 0u) < gridDim.x)
      ;
#else
    atomicAdd(&arrived, 1u);  // C
    while (ld_weak(&arrived) < gridDim.x)  // D
      ;
#endif
    __threadfence();
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
