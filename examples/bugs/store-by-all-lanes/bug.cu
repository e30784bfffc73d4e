// target: sm_90 ptx80
// All lanes of a warp start one bulk copy to global memory: 32 copies of the same bytes, which nothing orders.
#include "../../suite/micro/async.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void store(unsigned *out) {
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
#ifdef FIXED
  if (threadIdx.x == 0)
#endif
  {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(SMEM(tile)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
