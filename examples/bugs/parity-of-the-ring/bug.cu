// target: sm_90 ptx80
// A mbarrier that completes a phase in each round is awaited with the parity of a ring of two: the wait of round 1 asks
// for the phase that is over, and the next copy overwrites the tile that it has not waited for.
#include "../../suite/micro/async.h"

MBARRIER full;
__shared__ __align__(16) unsigned tile[32];

__global__ void pipeline(const unsigned *in, unsigned *out, int rounds) {
  if (threadIdx.x == 0)
    init(&full, 1);
  __syncthreads();
#pragma clang loop unroll(disable)
  for (int i = 0; i < rounds; i++) {
    if (threadIdx.x == 0) {
      arrive_expecting(&full, 128);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"  // A
                   ::"r"(SMEM(tile)), "l"(in + 32 * i), "r"(SMEM(&full)) : "memory");
    }
#ifdef FIXED
    while (!done(&full, i % 2))
      ;
#else
    while (!done(&full, i / 2 % 2))
      ;
#endif
    out[32 * i + threadIdx.x] = tile[threadIdx.x];  // B
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
  }
}
