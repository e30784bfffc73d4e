// Three groups of lanes in nested branches; the innermost reads what the middle one
// writes.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t >= 8 && t < 16)
    word[t] = t;
  __syncwarp();
  if (t < 8)
    out[t] = word[t + 8];
#else
  if (t < 16) {
    if (t < 8)
      out[t] = word[t + 8];  // A
    else
      word[t] = t;  // B
  } else {
    out[t] = t;
  }
#endif
}
