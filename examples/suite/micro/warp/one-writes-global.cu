// A lane writes under a mask, and another reads under another mask, one after the other,
// in global memory.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 1)
    data[0] = 5;  // A
#ifdef FIXED
  __syncwarp();
#endif
  if (t == 2)
    out[0] = data[0];  // B
}
