// target: sm_90 ptx80
// A block starts a bulk copy out of its shared memory and ends. Its shared memory is that of another block then, and
// the copy may not have read it.
#include "../../suite/micro/async.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void store(unsigned *out) {
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(SMEM(tile)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#ifdef FIXED
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
  }
}
