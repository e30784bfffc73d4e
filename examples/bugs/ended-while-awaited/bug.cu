// target: sm_90 ptx80
// Thread 0 ends an mbarrier for which other threads may still wait.
#include "../../suite/micro/async.h"

MBARRIER ready;

__global__ void test(unsigned *out) {
  if (threadIdx.x == 0)
    init(&ready, 64);
  __syncthreads();
  arrive(&ready);
  while (!done(&ready, 0))  // A
    ;
  out[threadIdx.x] = threadIdx.x;
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SMEM(&ready)) : "memory");  // B
}
