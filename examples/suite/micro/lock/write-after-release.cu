// The lock is dropped before the last write.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0) {
    spin(&lock);
    __threadfence();
    unsigned v = data[0] + 1;  // A
#ifdef FIXED
    data[0] = v;
    __threadfence();
    drop(&lock);
#else
    __threadfence();
    drop(&lock);
    data[0] = v;  // B
#endif
  }
}
