// ScoR: block 0 fences with block scope after it takes the lock, everything else has
// device scope.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    spin(&lock);
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    data[0] += 1;  // A
    __threadfence();
    drop(&lock);
  }
  if (BLOCK(1)) {
    spin(&lock);
    __threadfence();
    data[0] += 2;  // B
    __threadfence();
    drop(&lock);
  }
}
