// The same, and the barrier behind the acquire is missing.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t + 1;  // A
    __syncthreads();
    if (t == 0)
      st_release_gpu(&flag, 1);
  } else {
    if (t == 0)
      while (ld_acquire_gpu(&flag) != 1)
        ;
#ifdef FIXED
    __syncthreads();
#endif
    out[t] = data[t];  // B
  }
}
