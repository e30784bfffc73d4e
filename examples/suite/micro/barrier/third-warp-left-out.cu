// A named barrier counts two of three warps; the third reads without waiting.
#include "../micro.h"

#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(n) : "memory")

__shared__ unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 32)
    tile[t] = t + 1;  // A
#ifdef FIXED
  SYNC(1, 96);
#else
  if (t < 64)
    SYNC(1, 64);
#endif
  if (t >= 32)
    out[t - 32] = tile[t % 32];  // B
}
