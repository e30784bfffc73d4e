// BARRACUDA: all lanes store different values to one word of shared memory with one
// instruction.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
#endif
    word[0] = t;  // A
  __syncwarp();
  out[t] = word[0];
}
