// target: sm_90
// Shared memory is cleared by ordinary stores and then overwritten by a bulk copy: without
// a proxy fence, the zeros may arrive after the copy.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(16) unsigned tile[32];

__global__ void run(const unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0)
    init(&ready, 1);
  tile[t] = 0;  // A
#ifdef FIXED
  fence_proxy_async();
#endif
  __syncthreads();
  if (t == 0) {
    arrive_expecting(&ready, 128);
    bulk_load(tile, data, 128, &ready);  // B
  }
  while (!done(&ready, 0))
    ;
  out[t] = tile[t];
}
