// The cellular automaton Rule 110 (ScoRD, Table II). Each thread owns a few cells and
// waits for its two neighbours in every step. Fences and flags have block scope, but for
// threads at the borders of a block, which have a neighbour in another one.
#include "../apps.h"

RACES(border_fence,  // block scope for the fences of writers at the borders
      right_poll)    // block scope when waiting for a neighbour in the block to the right

// The scope that includes both neighbours of a thread.
PTXSAN_BUILTIN scope_name reach(unsigned thread) {
  unsigned t = thread % blockDim.x;
  return t == 0 || t == blockDim.x - 1 ? device_scope : block_scope;
}

// cells holds two generations of n cells, own for each thread; done counts the steps of
// each thread. All blocks must be resident.
__global__ void run(volatile unsigned *cells, unsigned *done, unsigned own, unsigned steps) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  unsigned first = me * own, last = first + own, n = all * own;
  for (unsigned g = 0; g < steps; g++) {
    volatile unsigned *now = cells + g % 2 * n, *next = cells + (g + 1) % 2 * n;
    if (me > 0)
      while (add(reach(me - 1), &done[me - 1], 0u) < g)  // A
        ;
    if (me + 1 < all)
      while (add(race(right_poll) ? block_scope : reach(me + 1), &done[me + 1], 0u) < g)  // B
        ;
    fence(reach(me));
    unsigned left = me > 0 ? now[first - 1] : 0;       // C
    unsigned right = me + 1 < all ? now[last] : 0;     // D
    for (unsigned i = first; i < last; i++) {
      unsigned middle = now[i];
      unsigned after = i + 1 < last ? now[i + 1] : right;
      next[i] = 110 >> (left * 4 + middle * 2 + after) & 1;  // E
      left = middle;
    }
    fence(race(border_fence) ? block_scope : reach(me));
    exch(reach(me), &done[me], g + 1);  // F
  }
}
