// Warps of a block share a word with atomics of device and of block scope (ScoR: device
// and block atomics between warps). The racy variant shifts one side to the word of the
// other block.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0))
    atomicAdd(data + blockIdx.x, 1u);  // A
#ifdef FIXED
  if (WARP(1))
    atomicAdd_block(data + blockIdx.x, 2u);
#else
  if (WARP(1))
    atomicAdd_block(data + (1 - blockIdx.x), 2u);  // B
#endif
}
