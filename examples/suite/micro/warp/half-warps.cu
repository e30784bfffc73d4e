// Each half of a warp synchronises with its own mask (a tile of 16); the value goes from
// one half to the other.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  word[t] = t + 1;  // A
#ifdef FIXED
  __syncwarp();
#else
  if (t < 16)
    __syncwarp(0x0000ffffu);
  else
    __syncwarp(0xffff0000u);
#endif
  out[t] = word[t ^ 16];  // B
}
