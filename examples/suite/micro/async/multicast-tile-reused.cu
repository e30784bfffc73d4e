// target: sm_90
// A bulk copy to all blocks of a cluster, twice to the same place: the other blocks must
// have read the first before the second is started. A barrier of the own block is not enough.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(16) unsigned tile[32];

__global__ void run(const unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x, sum = 0;
  if (t == 0)
    init(&ready, 1);
  for (unsigned round = 0; round < 2; round++) {
    if (t == 0)
      arrive_expecting(&ready, 128);
    if (round == 0)
      cluster_sync();
#ifdef FIXED
    else
      fence_proxy_async(), cluster_sync();
#else
    else
      __syncthreads();
#endif
    if (cluster_rank() == 0 && t == 0)
      bulk_multicast(tile, data + 32 * round, 128, &ready, 3);  // A
    while (!done(&ready, round))
      ;
    sum += tile[t];  // B
  }
  out[blockIdx.x * 32 + t] = sum;
  cluster_sync();
}
