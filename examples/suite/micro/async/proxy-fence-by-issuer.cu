// target: sm_90
// The thread that starts a bulk copy fences the proxy for the others: a fence covers what is
// ordered before it, so that it has to stand behind the barrier.
#include "../async.h"

__shared__ __align__(16) unsigned tile[32];

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  tile[t] = t + 5;  // A
#ifndef FIXED
  if (t == 0)
    fence_proxy_async();
#endif
  __syncthreads();
  if (t == 0) {
#ifdef FIXED
    fence_proxy_async();
#endif
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(SMEM(tile)), "r"(128) : "memory");  // B
    bulk_wait();
  }
}
