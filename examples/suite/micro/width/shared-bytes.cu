// The same in shared memory with bytes and a word.
#include "../micro.h"

__shared__ unsigned word;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned char *bytes = (unsigned char *)&word;
  if (threadIdx.x == 0)
    word = 0;
  __syncthreads();
  if (WARP(0))
    bytes[3] = 7;  // A
#ifdef FIXED
  if (WARP(1))
    out[0] = bytes[2];
#else
  if (WARP(1))
    out[0] = word;  // B
#endif
}
