// BARRACUDA: all lanes store the same value to one word of global memory with one
// instruction.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
#endif
    data[0] = 9;  // A
  __syncwarp();
  out[t] = data[0];
}
