// ScoR (HRF-indirect with atomics): the value is updated by atomics of block and of device
// scope in turn along the chain.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (blockIdx.x == 0 && WARP(0)) {
    atomicAdd_block(data, 1u);  // A
    __threadfence_block();
    set_flag(&flag, 1);
  }
  if (blockIdx.x == 0 && WARP(1)) {
    wait_flag(&flag, 1);
    __threadfence_block();
    atomicAdd(data, 1u);  // B
    __threadfence();
    set_flag(&flag, 2);
  }
  if (blockIdx.x == 1 && WARP(0)) {
    wait_flag(&flag, 2);
#ifdef FIXED
    __threadfence();
#endif
    atomicAdd(data, 1u);  // C
    __threadfence_block();
    set_flag(&flag, 3);
  }
  if (blockIdx.x == 1 && WARP(1)) {
    wait_flag(&flag, 3);
    __threadfence_block();
    out[0] = atomicAdd_block(data, 1u);  // D
  }
}
