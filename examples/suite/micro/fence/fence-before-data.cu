// The producer fences before the store instead of after it.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
#ifdef FIXED
    data[0] = 42;
    __threadfence();
#else
    __threadfence();
    data[0] = 42;  // A
#endif
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
    __threadfence();
    out[0] = data[0];  // B
  }
}
