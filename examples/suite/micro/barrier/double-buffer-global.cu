// The same in global memory.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned v = t;
  for (unsigned round = 0; round < 4; round++) {
#ifdef FIXED
    unsigned *now = data + 64 * (round % 2);
#else
    unsigned *now = data;
#endif
    now[t] = v;  // A
    __syncthreads();
    v = now[(t + 32) % 64];  // B
  }
  out[t] = v;
}
