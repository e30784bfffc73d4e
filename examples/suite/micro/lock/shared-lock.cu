// A lock and its data in shared memory, with and without fences.
#include "../micro.h"

__shared__ unsigned lock, sum;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0)
    lock = sum = 0;
  __syncthreads();
  if (LANE == 0) {
    spin_block(&lock);
#ifdef FIXED
    __threadfence_block();
#endif
    sum += 1;  // A
#ifdef FIXED
    __threadfence_block();
#endif
    drop_block(&lock);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    out[0] = sum;
}
