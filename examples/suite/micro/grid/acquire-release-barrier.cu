// A grid barrier of red.release and ld.acquire, as cooperative groups have it on new GPUs.
#include "../micro.h"

__device__ unsigned arrived;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i + 1;  // A
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef FIXED
    red_add_release_gpu(&arrived, 1);
#else
    red_add_relaxed_gpu(&arrived, 1);
#endif
    while (ld_acquire_gpu(&arrived) < gridDim.x)
      ;
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % n];  // B
}
