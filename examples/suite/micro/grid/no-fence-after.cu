// The fence after the wait is missing, the one before the arrival is there.
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
#ifdef FIXED
    __threadfence();
#endif
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
