// ScoR: two warps, a lock of block scope, and only one takes it.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    spin_block(&lock);
    __threadfence_block();
    data[0] += 1;  // A
    __threadfence_block();
    drop_block(&lock);
  }
  if (WARP(1)) {
#ifdef FIXED
    spin_block(&lock);
#endif
#ifdef FIXED
    __threadfence_block();
#endif
    data[0] += 2;  // B
#ifdef FIXED
    __threadfence_block();
#endif
#ifdef FIXED
    drop_block(&lock);
#endif
  }
}
