// target: sm_90 ptx81
// A block stores asynchronously into the shared memory of the other. Who reads has to
// wait for the mbarrier of its own block; the barrier of the cluster does not wait for the store.
#include "../async.h"

MBARRIER ready;
__shared__ unsigned word;

__global__ void run(unsigned *out) {
  if (threadIdx.x == 0) {
    init(&ready, 1);
    arrive_expecting(&ready, 4);
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    unsigned other = 1 - cluster_rank();
    store_async(in_block(&word, other), blockIdx.x + 7, in_block(&ready, other));  // A
  }
  cluster_sync();
  if (threadIdx.x == 0) {
#ifdef FIXED
    while (!done_cluster(&ready, 0))
      ;
#endif
    out[blockIdx.x] = word;  // B
  }
  cluster_sync();
}
