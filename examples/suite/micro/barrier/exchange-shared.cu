// Warps of a block exchange values through shared memory.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 1;  // A
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = tile[(t + 32) % 64];  // B
}
