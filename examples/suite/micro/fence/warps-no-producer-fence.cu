// Two warps of a block and a flag of block scope; the producer does not fence.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence_block();
#endif
    set_flag_block(&flag, 1);
  }
  if (WARP(1)) {
    wait_flag_block(&flag, 1);
    __threadfence_block();
    out[0] = data[0];  // B
  }
}
