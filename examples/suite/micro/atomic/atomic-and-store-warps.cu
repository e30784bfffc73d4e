// One thread exchanges a word atomically, another stores to it with a plain instruction:
// two warps of a block.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    atomicExch(data, 1u);  // A
  }
  if (WARP(1)) {
#ifdef FIXED
    atomicExch(data, 2u);
#else
    data[0] = 2;  // B
#endif
  }
}
