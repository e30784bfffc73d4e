// target: sm_90 ptx80
// A block copies partial sums to global memory by a bulk copy, waits for it, and counts itself without a fence. Another
// block waits for the count and reads the sums.
#include "../../suite/micro/async.h"

__shared__ __align__(16) unsigned part[32];

__global__ void reduce(unsigned *sums, unsigned *count, unsigned *out) {
  if (blockIdx.x == 0) {
    part[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(sums), "r"(SMEM(part)) : "memory");  // A
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#ifdef FIXED
      __threadfence();
#endif
      atomicAdd(count, 1u);
    }
  } else {
    if (threadIdx.x == 0) {
      wait_flag(count, 1u);
      __threadfence();
    }
    __syncthreads();
    out[threadIdx.x] = sums[threadIdx.x];  // B
  }
}
