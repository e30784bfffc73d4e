// A fence where a barrier is needed: it orders the accesses of one thread and makes no one
// wait.
#include "../micro.h"

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 1;  // A
#ifdef FIXED
  __syncthreads();
#else
  __threadfence_block();
#endif
  out[t] = tile[(t + 32) % 64];  // B
}
