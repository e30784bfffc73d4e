// target: sm_90 ptx80
// A block reads what a bulk copy of another block has put into its shared memory, and arrives at the other one's
// mbarrier: without a scope the arrival has that of its own block, and the next copy does not follow the read.
#include "../../suite/micro/async.h"

#ifdef FIXED
#define SCOPE ".release.cluster"
#else
#define SCOPE ""
#endif

MBARRIER full;
MBARRIER empty;
__shared__ __align__(16) unsigned tile[32];

__global__ void __launch_bounds__(32) pipeline(const unsigned *in, unsigned *out, int rounds) {
  unsigned rank = cluster_rank(), t = threadIdx.x, sum = 0;
  if (t == 0) {
    init(&full, 1);
    init(&empty, 2);
  }
  cluster_sync();
#pragma clang loop unroll(disable)
  for (int i = 0; i < rounds; i++) {
    if (t == 0) {
      arrive_expecting(&full, 128);
      if (rank == 0) {
        while (i > 0 && !done_cluster(&empty, (i - 1) % 2))
          ;
        bulk_multicast(tile, in + 32 * i, 128, &full, 3);  // A
      }
    }
    while (!done(&full, i % 2))
      ;
    sum += tile[t];  // B
    fence_proxy_async();
    __syncwarp();
    if (t == 0)
      asm volatile("mbarrier.arrive" SCOPE ".shared::cluster.b64 _, [%0];" ::"r"(in_block(&empty, 0)) : "memory");
  }
  out[rank * 32 + t] = sum;
  cluster_sync();
}
