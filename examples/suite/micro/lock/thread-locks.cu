// iGUARD: each lane of a warp takes a lock of its own. Lanes that share a datum must share
// the lock.
#include "../micro.h"

__device__ unsigned locks[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned bin = threadIdx.x / 2;
#ifdef FIXED
  unsigned *lock = &locks[bin];
#else
  unsigned *lock = &locks[threadIdx.x];
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
