// target: sm_90a ptx83
// Two warps edit different fields of one tensor map. An edit is an operation on the whole
// object: a barrier has to stand between, and a proxy fence before the copy that uses it.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(128) unsigned tile[32];

__global__ void run(tensor_map *map, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0)
    replace_dim(map, 0, 8);  // A
#ifdef FIXED
  __syncthreads();
#endif
  if (t == 32) {
    replace_dim(map, 1, 4);  // B
    release_tensor_map();
  }
  __syncthreads();
  if (t == 0) {
    acquire_tensor_map(map);
    init(&ready, 1);
    arrive_expecting(&ready, 128);
    tensor_load(tile, map, 4, 2, &ready);
  }
  __syncthreads();
  while (!done(&ready, 0))
    ;
  if (t < 32)
    out[t] = tile[t];
}
