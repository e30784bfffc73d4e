// A lane writes under a mask, and another reads under another mask, one after the other,
// in shared memory.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 1)
    word[0] = 5;  // A
#ifdef FIXED
  __syncwarp();
#endif
  if (t == 2)
    out[0] = word[0];  // B
}
