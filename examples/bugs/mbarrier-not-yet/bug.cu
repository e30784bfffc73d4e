// target: sm_90 ptx80
// Threads arrive at a mbarrier that thread 0 may not have initialised yet.
#include "../../suite/micro/async.h"

MBARRIER ready;

__global__ void start(unsigned *out) {
  if (threadIdx.x == 0)
    init(&ready, 64);  // A
#ifdef FIXED
  __syncthreads();
#endif
  arrive(&ready);  // B
  while (!done(&ready, 0))
    ;
  out[threadIdx.x] = threadIdx.x;
}
