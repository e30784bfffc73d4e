// ScoR: both read under the lock; block 0 then writes after it has dropped it.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0) {
    spin(&lock);
    __threadfence();
    out[blockIdx.x] = data[0];  // A
#ifdef FIXED
    if (blockIdx.x == 0)
      data[0] = 42;
#endif
    __threadfence();
    drop(&lock);
#ifndef FIXED
    if (blockIdx.x == 0)
      data[0] = 42;  // B
#endif
  }
}
