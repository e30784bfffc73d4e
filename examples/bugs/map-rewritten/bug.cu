// target: sm_90a ptx83
// A thread loads a tile through a tensor map, and changes the map for the next tile, while the first copy may still
// read it.
#include "../../suite/micro/async.h"

MBARRIER full;
__shared__ __align__(128) unsigned first[32], second[32];

PTXSAN_BUILTIN void wait_all(unsigned parity) {
  while (!done(&full, parity))
    ;
}

__global__ void grouped(tensor_map *map, unsigned *out) {
  if (threadIdx.x == 0) {
    init(&full, 1);
    arrive_expecting(&full, 256);
    tensor_load(first, map, 0, 0, &full);  // A
#ifdef FIXED
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
    replace_dim(map, 0, 8);  // B
    release_tensor_map();
    acquire_tensor_map(map);
    tensor_load(second, map, 0, 4, &full);
  }
  __syncthreads();
  wait_all(0);
  out[threadIdx.x] = first[threadIdx.x] + second[threadIdx.x];
}
