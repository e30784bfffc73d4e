// target: sm_90 ptx80
// The threads of a block wait for an mbarrier. Then one lane counts its warp out, without __syncwarp(), and the lane that
// counts the last warp ends the mbarrier.
#include "../../suite/micro/async.h"

MBARRIER ready;
__shared__ unsigned users;

__global__ void copy(unsigned *out) {
  if (threadIdx.x == 0) {
    init(&ready, 64);
    users = 64;
  }
  __syncthreads();
  arrive(&ready);
  while (!done(&ready, 0))  // A
    ;
  out[threadIdx.x] = threadIdx.x;
#ifdef FIXED
  __syncwarp();
#endif
  if (LANE == 0) {
    __threadfence_block();
    unsigned old = atomicSub_block(&users, 32u);
    __threadfence_block();
    if (old == 32)
      asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(SMEM(&ready)) : "memory");  // B
  }
}
