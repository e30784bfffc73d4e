// The same in global memory, with a device fence.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  data[t] = t + 1;  // A
#ifdef FIXED
  __syncthreads();
#else
  __threadfence();
#endif
  out[t] = data[(t + 32) % 64];  // B
}
