// Lanes leave a loop at different times; those that are left write what the others read
// after it.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  for (unsigned i = 0; i <= t % 4; i++)
    word[t] = i;  // A
#ifdef FIXED
  __syncwarp();
#endif
  out[t] = word[t ^ 3];  // B
}
