// ScoR: the same between two warps with a lock of block scope, and volatile data.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (threadIdx.x % 32 == 0) {
    spin_block(&lock);
    __threadfence_block();
    data[0] += 1;  // D
#ifdef FIXED
    __threadfence_block();
#endif
    drop_block(&lock);
  }
}
