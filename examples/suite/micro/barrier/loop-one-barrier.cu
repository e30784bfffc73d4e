// A loop with one barrier: a warp may enter the next round and overwrite what the other
// has not read yet.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned v = t;
  for (unsigned round = 0; round < 3; round++) {
    tile[t] = v;  // A
    __syncthreads();
    v = tile[(t + 32) % 64];  // B
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[t] = v;
}
