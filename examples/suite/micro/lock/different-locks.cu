// Both threads lock, but not the same lock.
#include "../micro.h"

__device__ unsigned locks[2];

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  unsigned *lock = &locks[0];
#else
  unsigned *lock = &locks[blockIdx.x];
#endif
  spin(lock);
  __threadfence();
  data[0] += 1;  // A
  __threadfence();
  drop(lock);
}
