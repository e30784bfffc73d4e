// Warp 0 passes a value to warp 1 of the same block through an atomic flag, without
// fences.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence_block();
#endif
    set_flag(&flag, 1);
  }
  if (WARP(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence_block();
#endif
    out[0] = data[0];  // B
  }
}
