// BARRACUDA: one side of a branch writes, the other reads, in shared memory. Which side
// runs first is not defined.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
    word[0] = 7;
  __syncwarp();
  out[t] = word[0];
#else
  if (t == 0)
    word[0] = 7;  // A
  else
    out[t] = word[0];  // B
#endif
}
