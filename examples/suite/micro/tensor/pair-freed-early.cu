// target: sm_100a
// Two blocks multiply as a pair, and the second one frees its tensor memory after a barrier of its own:
// that does not wait for the products, which the first block's thread has started.
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
#else
  while (first && !done(&ready, 0))
    ;
#endif
  __syncthreads();
  if (t < 32) pair_free(d);  // B
  while (!done(&ready, 0))
    ;
  out[blockIdx.x * 128 + t] = 1;
  cluster_sync();
}
