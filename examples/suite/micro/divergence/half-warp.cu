// BARRACUDA: half of a warp reaches a barrier of the block, the other half goes on and
// waits in a later one.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  __syncthreads();
#else
  if (t < 16)
    __syncthreads();
#endif
  data[t] = t;
  __syncthreads();
  out[t] = data[31 - t];
}
