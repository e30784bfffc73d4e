// ScoR: two warps with a lock of block scope; warp 0 does not fence after it takes it.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    spin_block(&lock);
#ifdef FIXED
    __threadfence_block();
#endif
    data[0] += 1;  // A
    __threadfence_block();
    drop_block(&lock);
  }
  if (WARP(1)) {
    spin_block(&lock);
    __threadfence_block();
    data[0] += 2;  // B
    __threadfence_block();
    drop_block(&lock);
  }
}
