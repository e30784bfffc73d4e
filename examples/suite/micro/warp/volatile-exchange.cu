// The exchange with volatile accesses: relaxed in PTX, and so no data race, though what is
// read is open.
#include "../micro.h"

__shared__ volatile unsigned word[32];

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
