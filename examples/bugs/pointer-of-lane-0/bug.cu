// Lane 0 allocates scratch of its warp and publishes where it is in shared memory; the others read that at once.
#include "../../suite/micro/micro.h"

__shared__ unsigned base[4];

__global__ void truth(unsigned *next, unsigned *pool) {
  unsigned warp = threadIdx.x / 32;
  if (LANE == 0)
    base[warp] = atomicAdd(next, 32u);  // A
#ifdef FIXED
  __syncwarp();
#endif
  pool[base[warp] + LANE] = threadIdx.x;  // B
}
