// The consumer arrives at the named barrier, too, instead of waiting for it.
#include "../micro.h"

#define ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"n"(id), "n"(n) : "memory")
#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(n) : "memory")

__shared__ unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 32) {
    tile[t] = t + 1;  // A
    ARRIVE(1, 64);
  } else {
#ifdef FIXED
    SYNC(1, 64);
#else
    ARRIVE(1, 64);
#endif
    out[t - 32] = tile[63 - t];  // B
  }
}
