// target: sm_100a
// A thread loads what it has stored to tensor memory, and does not wait in between.
#include "../tensor.h"

MBARRIER ready;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  BEGIN(slot, ready, 1);
  fill(a, b);
  fence_proxy_async();
  __syncthreads();
  unsigned d = slot;
  store(d, t);  // A
#ifdef FIXED
  wait_st();
#endif
  unsigned v = load(d);  // B
  wait_ld();
  out[t] = v;
#ifndef FIXED
  wait_st();
#endif
  END(d);
}
