// Two blocks increment a word with load and store (a histogram without atomics).
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (threadIdx.x == 0)
#ifdef FIXED
    atomicAdd(data, 1u);
#else
    data[0] += 1;  // A
#endif
}
