// One thread exchanges atomically with block scope and then stores (ScoR: within a warp).
// Program order suffices; in the racy variant the store is made by another warp.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0))
    atomicExch_block(data, 1u);  // A
#ifdef FIXED
  if (WARP(0))
#else
  if (WARP(1))
#endif
    data[0] = 2;  // B
}
