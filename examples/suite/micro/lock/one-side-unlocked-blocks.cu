// ScoR: two blocks update a word, and only one takes the lock.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    spin(&lock);
    __threadfence();
    data[0] += 1;  // A
    __threadfence();
    drop(&lock);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    spin(&lock);
#endif
#ifdef FIXED
    __threadfence();
#endif
    data[0] += 2;  // B
#ifdef FIXED
    __threadfence();
#endif
#ifdef FIXED
    drop(&lock);
#endif
  }
}
