// All threads store one value to a word, without a barrier between the warps.
#include "../micro.h"

__shared__ unsigned any;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
#else
  if (t % 32 == 0)
#endif
    any = 1;  // A
  __syncthreads();
  out[t] = any;
}
