// A try-lock whose failure is ignored.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0) {
    bool mine = atomicCAS(&lock, 0u, 1u) == 0;
    __threadfence();
#ifdef FIXED
    if (mine)
#endif
      data[0] += 1;  // A
    __threadfence();
    if (mine)
      drop(&lock);
  }
}
