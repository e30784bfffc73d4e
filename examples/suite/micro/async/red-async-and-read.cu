// target: sm_90 ptx81
// Both blocks of a cluster add asynchronously to a count in the first one, which reads it:
// when all bytes have arrived, or after the first four of them.
#include "../async.h"

MBARRIER ready;
__shared__ unsigned count;

__global__ void run(unsigned *out) {
  if (threadIdx.x == 0) {
    count = 0;
    init(&ready, 1);
#ifdef FIXED
    arrive_expecting(&ready, 8);
#else
    arrive_expecting(&ready, 4);
#endif
  }
  cluster_sync();
  if (threadIdx.x == 0)
    add_async(in_block(&count, 0), blockIdx.x + 3, in_block(&ready, 0));  // A
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    while (!done_cluster(&ready, 0))
      ;
    out[0] = count;  // B
  }
  cluster_sync();
}
