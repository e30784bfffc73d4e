// Thread 0 reads a parameter from global memory for all, and the others use it without
// waiting.
#include "../micro.h"

__shared__ unsigned limit;

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0)
    limit = data[0] + 7;  // A
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = limit;  // B
}
