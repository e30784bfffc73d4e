// target: sm_100a
// Two blocks multiply as a pair, and each loads its rows of the product. Only the block that multiplies
// is told that it is complete; the other one waits for the barrier of the cluster instead.
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
#ifdef FIXED
    pair_commit_both(&ready);
#else
    pair_commit(&ready);
#endif
  }
#ifdef FIXED
  bool told = true;
#else
  bool told = first;
#endif
  before();
  cluster_sync();
  while (told && !done(&ready, 0))
    ;
  after();
  unsigned v = load(d);  // B
  wait_ld();
  out[blockIdx.x * 128 + t] = v;
  while (first && !done(&ready, 0))
    ;
  cluster_sync();
  if (t < 32) pair_free(d);
}
