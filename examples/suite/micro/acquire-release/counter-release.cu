// Three blocks count their results with red, and a fourth waits for the count.
#include "../micro.h"

__device__ unsigned count;

__global__ void run(unsigned *data, unsigned *out) {
  if (blockIdx.x < 3) {
    data[blockIdx.x] = 5;  // A
#ifdef FIXED
    red_add_release_gpu(&count, 1);
#else
    red_add_relaxed_gpu(&count, 1);
#endif
  } else {
    while (ld_acquire_gpu(&count) != 3)
      ;
    out[0] = data[0] + data[1] + data[2];  // B
  }
}
