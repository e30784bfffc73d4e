// Both sides fence, but the reader does not wait: fences alone synchronise nothing.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    __threadfence();
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    wait_flag(&flag, 1);
#endif
    __threadfence();
    out[0] = data[0];  // B
  }
}
