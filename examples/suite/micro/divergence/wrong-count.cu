// A named barrier expects more threads than take part.
#include "../micro.h"

#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(n) : "memory")

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  SYNC(1, 64);
#else
  SYNC(1, 96);
#endif
  out[t] = 1;
}
