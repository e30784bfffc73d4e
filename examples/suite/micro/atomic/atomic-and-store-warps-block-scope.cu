// One thread exchanges a word atomically, another stores to it with a plain instruction:
// two warps of a block, the atomic of block scope.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    atomicExch_block(data, 1u);  // A
  }
  if (WARP(1)) {
#ifdef FIXED
    atomicExch_block(data, 2u);
#else
    data[0] = 2;  // B
#endif
  }
}
