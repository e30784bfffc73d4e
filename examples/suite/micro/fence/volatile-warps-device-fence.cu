// Volatile data between two warps of a block; a device fence is more than they need (ScoR: device
// fence between warps).
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (WARP(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence();
#endif
    set_flag(&flag, 1);
  }
  if (WARP(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence();
#endif
    out[0] = data[0];  // B
  }
}
