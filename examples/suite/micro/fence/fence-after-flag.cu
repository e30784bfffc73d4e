// The producer fences after the flag instead of before it.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence();
    set_flag(&flag, 1);
#else
    set_flag(&flag, 1);
    __threadfence();
#endif
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
    __threadfence();
    out[0] = data[0];  // B
  }
}
