// target: sm_90 ptx80
// A shared mbarrier is initialised for a second use without being ended after the first one.
#include "../../suite/micro/async.h"

MBARRIER ready;

__global__ void twice(unsigned *out) {
  for (unsigned use = 0; use < 2; use++) {
    if (threadIdx.x == 0)
      init(&ready, 64);  // A
    __syncthreads();
    arrive(&ready);
    while (!done(&ready, 0))
      ;
    out[64 * use + threadIdx.x] = threadIdx.x;
    __syncthreads();
#ifdef FIXED
    if (threadIdx.x == 0)
      asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SMEM(&ready)) : "memory");
#endif
  }
}
