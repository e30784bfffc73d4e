// The same, but the halves stay apart: one writes while the other reads.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 16) {
    word[t] = t + 1;  // A
#ifdef FIXED
    __syncwarp();
#else
    __syncwarp(0x0000ffffu);
#endif
  } else {
#ifdef FIXED
    __syncwarp();
#else
    __syncwarp(0xffff0000u);
#endif
    out[t] = word[t - 16];  // B
  }
}
