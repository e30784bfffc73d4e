// The same in global memory.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 16) {
    data[t] = t + 1;  // A
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
    out[t] = data[t - 16];  // B
  }
}
