// All threads of a block write, one of them releases for all after a barrier; all threads
// of another block read after a barrier behind the acquire.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t + 1;  // A
#ifdef FIXED
    __syncthreads();
#endif
    if (t == 0)
      st_release_gpu(&flag, 1);
  } else {
    if (t == 0)
      while (ld_acquire_gpu(&flag) != 1)
        ;
    __syncthreads();
    out[t] = data[t];  // B
  }
}
