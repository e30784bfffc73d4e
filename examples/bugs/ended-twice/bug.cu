// target: sm_90 ptx80
// The last user of a pipeline ends its mbarrier, and so does the destructor of the memory that holds it.
#include "../../suite/micro/async.h"

MBARRIER ready;

PTXSAN_BUILTIN void end(mbarrier *b) { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SMEM(b)) : "memory"); }

__global__ void pipeline(unsigned *out) {
  if (threadIdx.x == 0)
    init(&ready, 64);
  __syncthreads();
  arrive(&ready);
  while (!done(&ready, 0))
    ;
  out[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
#ifndef FIXED
    end(&ready);  // A: by the last user
#endif
    end(&ready);  // B: by the destructor
  }
}
