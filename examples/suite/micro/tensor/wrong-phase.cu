// target: sm_100a
// Threads wait for the wrong phase of the mbarrier of a product.
#include "../tensor.h"

MBARRIER ready;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  BEGIN(slot, ready, 129);
  fill(a, b);
  fence_proxy_async();
  __syncthreads();
  unsigned d = slot;
  if (t == 0) {
    multiply(d, a, b, 0);  // A
    commit(&ready);
  }
#ifdef FIXED
  arrive(&ready);
  while (!done(&ready, 0))
    ;
#else
  while (!done(&ready, 1))
    ;
#endif
  after();
  unsigned v = load(d);  // B
  wait_ld();
  out[t] = v;
#ifndef FIXED
  arrive(&ready);
  while (!done(&ready, 0))
    ;
#endif
  END(d);
}
