// ScoR: neither block fences before it drops the lock; the data are volatile, as there.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (threadIdx.x % 32 == 0) {
    spin(&lock);
    __threadfence();
    data[0] += 1;  // D
#ifdef FIXED
    __threadfence();
#endif
    drop(&lock);
  }
}
