// target: sm_90
// A bulk copy to the shared memory of all blocks of a cluster. Each waits for a mbarrier
// of its own; waiting for each other does not wait for the copy.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(16) unsigned tile[32];

__global__ void run(const unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0) {
    init(&ready, 1);
    arrive_expecting(&ready, 128);
  }
  cluster_sync();
  if (cluster_rank() == 0 && t == 0)
    bulk_multicast(tile, data, 128, &ready, 3);  // A
#ifdef FIXED
  while (!done(&ready, 0))
    ;
#else
  cluster_sync();
#endif
  out[blockIdx.x * 32 + t] = tile[t];  // B
  cluster_sync();
}
