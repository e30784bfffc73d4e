// BARRACUDA: one side of a branch writes, the other reads, in global memory. Which side
// runs first is not defined.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  if (t == 0)
    data[0] = 7;
  __syncwarp();
  out[t] = data[0];
#else
  if (t == 0)
    data[0] = 7;  // A
  else
    out[t] = data[0];  // B
#endif
}
