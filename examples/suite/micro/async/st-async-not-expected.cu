// target: sm_90 ptx81
// A block stores asynchronously into the shared memory of the other, whose mbarrier
// counts the bytes. Its phase must be told to wait for them: an arrival alone completes it.
#include "../async.h"

MBARRIER ready;
__shared__ unsigned word;

__global__ void run(unsigned *out) {
  if (threadIdx.x == 0) {
    init(&ready, 1);
#ifdef FIXED
    arrive_expecting(&ready, 4);
#else
    arrive(&ready);
#endif
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    unsigned other = 1 - cluster_rank();
    store_async(in_block(&word, other), blockIdx.x + 7, in_block(&ready, other));  // A
    while (!done_cluster(&ready, 0))
      ;
    out[blockIdx.x] = word;  // B
  }
  cluster_sync();
}
