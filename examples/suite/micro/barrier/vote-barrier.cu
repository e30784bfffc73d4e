// A barrier that also votes (bar.red) is a barrier.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 1;  // A
#ifdef FIXED
  int any = __syncthreads_or(t == 5);
#else
  int any = 1;
#endif
  out[t] = tile[(t + 32) % 64] * any;  // B
}
