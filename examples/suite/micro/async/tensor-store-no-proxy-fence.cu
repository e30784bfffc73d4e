// target: sm_90
// Shared memory is written by ordinary stores and then copied to a box of a tensor: the
// asynchronous proxy reads it, so that a proxy fence must stand between.
#include "../async.h"

__shared__ __align__(128) unsigned tile[32];

__global__ void run(const tensor_map *map) {
  unsigned t = threadIdx.x;
  tile[t] = t + 5;  // A
#ifdef FIXED
  fence_proxy_async();
#endif
  __syncthreads();
  if (t == 0) {
    tensor_store(map, 0, 1, tile);  // B
    bulk_wait();
  }
}
