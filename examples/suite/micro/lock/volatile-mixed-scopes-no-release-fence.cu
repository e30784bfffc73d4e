// ScoR: device scope in one warp, block scope in the other, and neither fences before it
// drops the lock; the data are volatile.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (WARP(0)) {
    spin(&lock);
    __threadfence();
    data[0] += 1;  // A
#ifdef FIXED
    __threadfence();
#endif
    drop(&lock);
  }
  if (WARP(1)) {
    spin_block(&lock);
    __threadfence_block();
    data[0] += 2;  // B
#ifdef FIXED
    __threadfence_block();
#endif
    drop_block(&lock);
  }
}
