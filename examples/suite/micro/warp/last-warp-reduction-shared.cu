// iGUARD: the last steps of a tree reduction within one warp, in shared memory, without
// warp barriers.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  word[t] = t;
  __syncwarp();
  for (unsigned n = 16; n > 0; n /= 2) {
    if (t < n)
      word[t] += word[t + n];  // A
#ifdef FIXED
    __syncwarp();
#endif
  }
  if (t == 0)
    out[0] = word[0];
}
