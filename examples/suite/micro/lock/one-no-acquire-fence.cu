// ScoR: block 0 does not fence after it takes the lock, block 1 does.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    spin(&lock);
#ifdef FIXED
    __threadfence();
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
