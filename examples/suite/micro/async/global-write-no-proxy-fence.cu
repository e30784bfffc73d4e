// target: sm_90
// A block writes global memory, which its own bulk copy then loads: another proxy reads what
// the generic proxy wrote, in global memory as in shared.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(16) unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0)
    init(&ready, 1);
  data[t] = t * t;  // A
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
