// A shuffle between write and read: it moves registers and promises nothing about memory.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  word[t] = t + 1;  // A
  unsigned from = __shfl_sync(~0u, (int)(t ^ 1), (int)t);
#ifdef FIXED
  __syncwarp();
#endif
  out[t] = word[from];  // B
}
