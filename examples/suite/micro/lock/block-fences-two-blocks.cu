// A lock with atomics of device scope, but fences of block scope.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x % 32 == 0) {
    spin(&lock);
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    data[0] += 1;  // D
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    drop(&lock);
  }
}
