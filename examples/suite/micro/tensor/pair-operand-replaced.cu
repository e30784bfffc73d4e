// target: sm_100a
// Two blocks multiply as a pair. The block that does not multiply itself writes its operands again
// after a barrier of the cluster: the products read them until tcgen05.commit says so, here to both.
#include "../tensor.h"

MBARRIER ready;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  bool first = cluster_rank() == 0;
  BEGIN_PAIR(slot, ready, 1);
  fill(a, b);
  fence_proxy_async();
  cluster_sync();
  unsigned d = slot;
  if (first && t == 0) {
    pair_multiply(d, a, b);  // A
    pair_commit_both(&ready);
  }
  cluster_sync();
#ifdef FIXED
  while (!done(&ready, 0))
    ;
#endif
  if (!first)
    b[t] = 0;  // B
#ifndef FIXED
  while (!done(&ready, 0))
    ;
#endif
  after();
  unsigned v = load(d);
  wait_ld();
  out[blockIdx.x * 128 + t] = v;
  cluster_sync();
  if (t < 32) pair_free(d);
}
