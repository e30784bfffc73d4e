// Neither block fences after it takes the lock.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x % 32 == 0) {
    spin(&lock);
#ifdef FIXED
    __threadfence();
#endif
    data[0] += 1;  // D
    __threadfence();
    drop(&lock);
  }
}
