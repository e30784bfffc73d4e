// iGUARD: a lane waits for another of its warp, which needs independent thread scheduling.
// The flag orders nothing without fences.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0) {
    data[0] = 5;  // A
#ifdef FIXED
    __threadfence_block();
#endif
    set_flag(&flag, 1);
  } else if (t == 1) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence_block();
#endif
    out[0] = data[0];  // B
  }
}
