// target: sm_90 ptx80
// One warp writes a word of shared memory that all warps read behind a barrier of the cluster, whose arrival is relaxed:
// it orders the initialisation of mbarriers, which has a fence of its own, and nothing else.
#include "../../suite/micro/async.h"

MBARRIER full;
__shared__ unsigned base;

__global__ void start(unsigned *out) {
  if (threadIdx.x == 0)
    init(&full, 1);
  if (threadIdx.x == 32)
    base = 7;  // A
#ifdef FIXED
  cluster_sync();
#else
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
  out[blockIdx.x * 64 + threadIdx.x] = base;  // B
}
