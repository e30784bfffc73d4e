// Two pairs of warps synchronise on a named barrier each; a value goes from one pair to
// the other.
#include "../micro.h"

#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(n) : "memory")

__shared__ unsigned tile[128];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 1;  // A
#ifdef FIXED
  SYNC(1, 128);
#else
  if (t < 64)
    SYNC(1, 64);
  else
    SYNC(2, 64);
#endif
  out[t] = tile[(t + 64) % 128];  // B
}
