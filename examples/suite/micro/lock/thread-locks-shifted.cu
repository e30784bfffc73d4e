// iGUARD: lanes of a warp take locks of their own in turns. Lane 1 and lane 2 share a
// datum but not a lock.
#include "../micro.h"

__device__ unsigned locks[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned bin = (threadIdx.x + 1) / 2;
#ifdef FIXED
  unsigned *lock = &locks[bin];
#else
  unsigned *lock = &locks[threadIdx.x / 2];
#endif
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0u, 1u) == 0) {
      __threadfence();
      data[bin] += 1;  // A
      __threadfence();
      drop(lock);
      done = true;
    }
  }
}
