// ScoR: one thread writes under a lock of block scope and then without it. In the racy
// variant, the second write is made by another warp.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    spin_block(&lock);
    __threadfence_block();
    data[0] = 1;  // A
    __threadfence_block();
    drop_block(&lock);
  }
#ifdef FIXED
  if (WARP(0))
#else
  if (WARP(1))
#endif
    data[0] = 2;  // B
}
