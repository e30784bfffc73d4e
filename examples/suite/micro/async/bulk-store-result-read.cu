// target: sm_90
// The result of a bulk store is read back from global memory by the thread that started
// it, without waiting for the writes.
#include "../micro.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 5;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(data), "r"(SMEM(tile)), "r"(128) : "memory");  // A
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#ifdef FIXED
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#else
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
    out[0] = data[31];  // B
  }
}
