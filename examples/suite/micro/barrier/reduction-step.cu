// A tree reduction in shared memory of two warps that leaves out the barrier after the
// step between the warps.
#include "../micro.h"

__shared__ unsigned part[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  part[t] = t;  // A
#ifdef FIXED
  __syncthreads();
#endif
  if (t < 32)
    part[t] += part[t + 32];  // B
  for (unsigned n = 16; n > 0; n /= 2) {
    __syncthreads();
    if (t < n)
      part[t] += part[t + n];
  }
  if (t == 0)
    out[0] = part[0];
}
