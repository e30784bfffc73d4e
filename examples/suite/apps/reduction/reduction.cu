// Sum of an array in one pass (ScoRD, Table II and Figure 4). A block adds up in a tree;
// the last steps are left to one warp, and the last block adds the sums of all.
#include "../apps.h"

RACES(half_fence,    // no fence between the second warp's half and its flag
      ticket_fence,  // a fence of block scope between a block's sum and its ticket
      warp_sync)     // no warp barriers in the last warp

// blockDim.x is a power of two, at least 64. tree has a word for each thread; half and
// ready have 32, and sums one for each block.
__global__ void reduce(const unsigned *data, unsigned n, unsigned *tree, volatile unsigned *half, unsigned *ready,
                       volatile unsigned *sums, unsigned *ticket, unsigned *out) {
  unsigned t = threadIdx.x, lane = blockIdx.x * 32 + t % 32;
  unsigned *mine = tree + blockIdx.x * blockDim.x;
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += data[i];
  mine[t] = sum;
  for (unsigned d = blockDim.x / 2; d >= 64; d /= 2) {
    __syncthreads();
    if (t < d)
      mine[t] += mine[t + d];
  }
  __syncthreads();

  // From 64 values to 32: each lane of the second warp hands one to the first.
  if (t >= 32 && t < 64) {
    half[lane] = mine[t];  // A
    if (!race(half_fence))
      __threadfence_block();
    atomicExch_block(&ready[lane], 1u);
  }
  if (t >= 32)
    return;
  while (atomicAdd_block(&ready[lane], 0u) == 0)
    ;
  __threadfence_block();
  mine[t] += half[lane];  // B
  for (unsigned d = 16; d > 0; d /= 2) {
    if (!race(warp_sync))
      __syncwarp();
    if (t < d)
      mine[t] += mine[t + d];  // C
  }

  if (t == 0) {
    sums[blockIdx.x] = mine[0];  // D
    fence(SCOPE(ticket_fence));
    if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
      __threadfence();
      unsigned total = 0;
      for (unsigned b = 0; b < gridDim.x; b++)
        total += sums[b];  // E
      out[0] = total;
    }
  }
}
