// iGUARD: the last steps of a tree reduction within one warp, in global memory, without
// warp barriers.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  data[t] = t;
  __syncwarp();
  for (unsigned n = 16; n > 0; n /= 2) {
    if (t < n)
      data[t] += data[t + n];  // A
#ifdef FIXED
    __syncwarp();
#endif
  }
  if (t == 0)
    out[0] = data[0];
}
