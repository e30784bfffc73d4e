// A warp barrier over the lanes that happen to be active: it synchronises those that
// arrived together.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 16)
    word[t] = t + 1;  // A
  else
    word[t] = 0;
#ifdef FIXED
  __syncwarp();
#else
  __syncwarp(__activemask());
#endif
  out[t] = t < 16 ? 0 : word[t - 16];  // B
}
