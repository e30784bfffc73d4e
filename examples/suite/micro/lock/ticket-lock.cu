// A ticket lock: take a number, wait until it is served.
#include "../micro.h"

__device__ unsigned next, serving;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned mine = atomicAdd(&next, 1u);
  wait_flag(&serving, mine);
#ifdef FIXED
  __threadfence();
#endif
  data[0] += 1;  // A
#ifdef FIXED
  __threadfence();
#endif
  atomicAdd(&serving, 1u);
}
