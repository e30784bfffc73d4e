// A lane writes, and another lane of its warp releases after a warp barrier.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x == 1)
      data[0] = 42;  // A
#ifdef FIXED
    __syncwarp();
#endif
    if (threadIdx.x == 0)
      st_release_gpu(&flag, 1);
  } else if (threadIdx.x == 0) {
    while (ld_acquire_gpu(&flag) != 1)
      ;
    out[0] = data[0];  // B
  }
}
