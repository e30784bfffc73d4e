// target: sm_100a
// Two blocks multiply as a pair, of operands that each has written. The thread that multiplies must wait
// until the other block arrives at its mbarrier.
#include "../tensor.h"

MBARRIER ready;
MBARRIER filled;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  bool first = cluster_rank() == 0;
  BEGIN_PAIR(slot, ready, 1);
  if (t == 0) init(&filled, 256);
  cluster_sync();
  unsigned d = slot;
  fill(a, b);  // A
  fence_proxy_async();
  arrive_remote(in_block(&filled, 0));
  if (first && t == 0) {
#ifdef FIXED
    while (!done_cluster(&filled, 0))
      ;
#endif
    pair_multiply(d, a, b);  // B
    pair_commit_both(&ready);
  }
  while (!done(&ready, 0))
    ;
  after();
  unsigned v = load(d);
  wait_ld();
  out[blockIdx.x * 128 + t] = v;
  cluster_sync();
  if (t < 32) pair_free(d);
}
