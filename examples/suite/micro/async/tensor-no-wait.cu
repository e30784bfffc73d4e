// target: sm_90
// A box of a tensor is copied to shared memory, and read without waiting for its mbarrier.
#include "../async.h"

MBARRIER ready;
__shared__ __align__(128) unsigned tile[32];

__global__ void run(const tensor_map *map, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0) {
    init(&ready, 1);
    arrive_expecting(&ready, 128);
    tensor_load(tile, map, 4, 2, &ready);  // A
  }
  __syncthreads();
#ifdef FIXED
  while (!done(&ready, 0))
    ;
#endif
  out[t] = tile[t];  // B
}
