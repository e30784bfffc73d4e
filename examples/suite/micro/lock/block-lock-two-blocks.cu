// ScoR: a lock with operations and fences of block scope, shared by two blocks.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x % 32 == 0) {
#ifdef FIXED
    spin(&lock);
#else
    spin_block(&lock);  // A
#endif
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
#ifdef FIXED
    drop(&lock);
#else
    drop_block(&lock);  // B
#endif
  }
}
