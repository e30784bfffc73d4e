// target: sm_90 ptx81
// An asynchronous addition of one block and an atomic one of another to the same count:
// relaxed operations, whose scopes must both be the cluster's.
#include "../async.h"

MBARRIER ready;
__shared__ unsigned count;

__global__ void run(unsigned *out) {
  if (threadIdx.x == 0) {
    count = 0;
    init(&ready, 1);
    arrive_expecting(&ready, 4);
  }
  cluster_sync();
  if (blockIdx.x == 1 && threadIdx.x == 0)
    add_async(in_block(&count, 0), 3, in_block(&ready, 0));  // A
  if (blockIdx.x == 0 && threadIdx.x == 0) {
#ifdef FIXED
    add_relaxed_cluster(&count, 4);
#else
    add_relaxed_cta(&count, 4);  // B
#endif
    while (!done_cluster(&ready, 0))
      ;
    out[0] = count;
  }
  cluster_sync();
}
