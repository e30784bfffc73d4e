// Threads store the product of each element four at a time, and then what is left: the loop for the rest begins where a
// whole round of all threads would end, not behind the last four, so that other threads store elements again.
#include "../../suite/micro/micro.h"

__global__ void multiply(const uint4 *in, unsigned *out, unsigned n) {
  for (unsigned i = threadIdx.x; i < n / 4; i += blockDim.x) {
    uint4 v = in[i];
    unsigned *to = out + 4 * i;
    to[0] = 3 * v.x;  // A
    to[1] = 3 * v.y;
    to[2] = 3 * v.z;
    to[3] = 3 * v.w;
  }
#ifdef FIXED
  unsigned rest = n % 4;
#else
  unsigned rest = n % (4 * blockDim.x);
#endif
  for (unsigned i = n - rest + threadIdx.x; i < n; i += blockDim.x)
    out[i] = 3 * ((const unsigned *)in)[i];  // B
}
