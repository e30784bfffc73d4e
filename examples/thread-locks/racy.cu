// Every thread of a warp adds to one sum under a lock (iGUARD, Figure 9). Even and
// odd threads use different locks, so an even and an odd thread can be inside at
// the same time.
#include <cuda_runtime.h>

__global__ void sum(unsigned *locks, unsigned *total) {
  unsigned *lock = &locks[threadIdx.x % 2];
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0u, 1u) == 0) {
      __threadfence();
      total[0] += threadIdx.x;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}
