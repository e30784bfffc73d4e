// The barrier is skipped when a parameter says that one warp runs. All threads agree on
// that, so it is no divergence; but two warps run.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out, unsigned warps) {
  unsigned t = threadIdx.x;
  tile[t] = t + 1;  // A
  if (warps > 1)
    __syncthreads();
  out[t] = tile[(t + 32) % 64];  // B
}
