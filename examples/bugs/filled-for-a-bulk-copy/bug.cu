// target: sm_90 ptx80
// Threads fill a buffer of global memory that a bulk copy of the same kernel reads, without a proxy fence between.
#include "../../suite/micro/async.h"

MBARRIER ready;
__shared__ __align__(16) unsigned tile[64];

__global__ void fill(unsigned *data, unsigned *out) {
  data[threadIdx.x] = threadIdx.x;  // A
  __threadfence();
#ifdef FIXED
  fence_proxy_async();
#endif
  if (threadIdx.x == 0)
    init(&ready, 64);
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_load(tile, data, 256, &ready);  // B
    arrive_expecting(&ready, 256);
  } else {
    arrive(&ready);
  }
  while (!done(&ready, 0))
    ;
  out[threadIdx.x] = tile[threadIdx.x];
}
