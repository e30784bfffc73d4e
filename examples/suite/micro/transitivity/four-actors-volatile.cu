// The same with volatile data, as ScoR has it.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (blockIdx.x == 0 && WARP(0)) {
    data[0] = 1;  // A
    __threadfence_block();
    set_flag(&flag, 1);
  }
  if (blockIdx.x == 0 && WARP(1)) {
    wait_flag(&flag, 1);
    __threadfence_block();
    data[0] += 1;  // B
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    set_flag(&flag, 2);
  }
  if (blockIdx.x == 1 && WARP(0)) {
    wait_flag(&flag, 2);
    __threadfence();
    data[0] += 1;  // C
    __threadfence_block();
    set_flag(&flag, 3);
  }
  if (blockIdx.x == 1 && WARP(1)) {
    wait_flag(&flag, 3);
    __threadfence_block();
    out[0] = data[0];  // D
  }
}
