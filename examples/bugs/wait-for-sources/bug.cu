// target: sm_90 ptx80
// A bulk copy to global memory is waited for with .read, which is for its sources alone, and its results are read.
#include "../../suite/micro/async.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void store(unsigned *data, unsigned *out) {
  tile[threadIdx.x] = threadIdx.x;
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(data), "r"(SMEM(tile)) : "memory");  // A
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#ifdef FIXED
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#else
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
  }
  __threadfence();
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];  // B
}
