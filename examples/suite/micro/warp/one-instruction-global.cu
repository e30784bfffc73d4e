// BARRACUDA: all lanes store different values to one word of global memory with one
// instruction.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
#endif
    data[0] = t;  // A
  __syncwarp();
  out[t] = data[0];
}
