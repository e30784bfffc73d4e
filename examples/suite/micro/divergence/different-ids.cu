// One warp waits at barrier 1, the other at barrier 2, each for both.
#include "../micro.h"

#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(n) : "memory")

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  SYNC(1, 64);
#else
  SYNC(1 + t / 32, 64);
#endif
  out[t] = 1;
}
