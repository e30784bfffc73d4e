// ScoR: one warp uses the lock with device scope, the other with block scope, within a
// block; the first does not fence after it takes it.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    spin(&lock);
#ifdef FIXED
    __threadfence();
#endif
    data[0] += 1;  // A
    __threadfence();
    drop(&lock);
  }
  if (WARP(1)) {
    spin_block(&lock);
    __threadfence_block();
    data[0] += 2;  // B
    __threadfence_block();
    drop_block(&lock);
  }
}
