// Thread 0 overwrites the shared word for the next round while others may still read it.
#include "../micro.h"

__shared__ unsigned word;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned sum = 0;
  for (unsigned round = 1; round < 4; round++) {
    if (t == 0)
      word = round;  // A
    __syncthreads();
    sum += word;  // B
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[t] = sum;
}
