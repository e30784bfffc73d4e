// The lock is dropped by a plain store.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0) {
    spin(&lock);  // A
    __threadfence();
    data[0] += 1;  // D
    __threadfence();
#ifdef FIXED
    drop(&lock);
#else
    st_weak(&lock, 0);  // B
#endif
  }
}
