// The same between two warps of a block.
#include "../micro.h"

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (WARP(0)) {
    atomicExch((unsigned *)data, 1u);  // A
  }
  if (WARP(1)) {
#ifdef FIXED
    atomicExch((unsigned *)data, 2u);
#else
    data[0] = 2;  // B
#endif
  }
}
