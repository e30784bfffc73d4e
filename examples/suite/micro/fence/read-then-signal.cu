// Block 0 reads a value and signals that it may be overwritten. Without a fence the load
// may happen after the signal.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    out[0] = data[0];  // A
#ifdef FIXED
    __threadfence();
#endif
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
    __threadfence();
    data[0] = 42;  // B
  }
}
