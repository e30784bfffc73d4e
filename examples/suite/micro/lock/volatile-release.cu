// The lock is dropped by a volatile store, as many programs do it.
#include "../micro.h"

__device__ volatile unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0) {
    spin((unsigned *)&lock);  // A
    __threadfence();
    data[0] += 1;  // D
    __threadfence();
#ifdef FIXED
    drop((unsigned *)&lock);
#else
    lock = 0;  // B
#endif
  }
}
