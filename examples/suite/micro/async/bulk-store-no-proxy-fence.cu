// target: sm_90
// Shared memory is written by ordinary stores and then stored by a bulk copy, which is of
// another proxy: a proxy fence must stand between.
#include "../micro.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 5;  // A
#ifdef FIXED
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(SMEM(tile)), "r"(128) : "memory");  // B
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
