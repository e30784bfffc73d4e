// The barrier stands before the write instead of after it.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  tile[t] = t + 1;
  __syncthreads();
#else
  __syncthreads();
  tile[t] = t + 1;  // A
#endif
  out[t] = tile[(t + 32) % 64];  // B
}
