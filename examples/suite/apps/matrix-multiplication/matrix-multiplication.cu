// Matrix multiplication (ScoRD, Table II and Figure 5). The warps of a block add up their
// parts of an element under a lock of block scope; the blocks that share the element add
// up theirs under a lock of device scope.
#include "../apps.h"

RACES(one_acquire_fence,  // the first warp takes the block's lock without a fence
      release_fence,      // no fence before the block's lock is dropped
      grid_cas,           // the grid's lock is taken with block scope
      grid_release)       // a fence of block scope before the grid's lock is dropped

// gridDim.x blocks share out the elements, gridDim.y the terms of each. sum and
// block_lock have a word for each block. c starts as zeros.
__global__ void multiply(const int *a, const int *b, volatile int *c, unsigned rows, unsigned inner, unsigned columns,
                         volatile int *sum, unsigned *block_lock, unsigned *grid_lock) {
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  for (unsigned e = blockIdx.x; e < rows * columns; e += gridDim.x) {
    unsigned row = e / columns, column = e % columns;
    int part = 0;
    for (unsigned k = blockIdx.y * blockDim.x + threadIdx.x; k < inner; k += gridDim.y * blockDim.x)
      part += a[row * inner + k] * b[k * columns + column];
    for (unsigned d = 16; d > 0; d /= 2)
      part += __shfl_down_sync(~0u, part, d);

    if (threadIdx.x % 32 == 0) {
      while (atomicCAS_block(&block_lock[block], 0u, 1u) != 0)
        ;
      if (!race(one_acquire_fence) || threadIdx.x >= 32)
        __threadfence_block();
      sum[block] = sum[block] + part;  // A
      if (!race(release_fence))
        __threadfence_block();
      atomicExch_block(&block_lock[block], 0u);
    }
    __syncthreads();

    if (threadIdx.x == 0) {
      part = sum[block];
      sum[block] = 0;
      while (cas(SCOPE(grid_cas), grid_lock, 0u, 1u) != 0)  // B
        ;
      __threadfence();
      c[e] = c[e] + part;  // C
      fence(SCOPE(grid_release));
      atomicExch(grid_lock, 0u);  // D
    }
    __syncthreads();
  }
}
