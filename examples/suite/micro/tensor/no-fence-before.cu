// target: sm_100a
// A product is loaded, and another one written there by another thread.
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
  if (t == 0) {
    multiply(d, a, b, 0);
    commit(&ready);
  }
  while (!done(&ready, 0))
    ;
  after();
  unsigned v = load(d);  // A
  wait_ld();
  out[t] = v;
#ifdef FIXED
  before();
#endif
  __syncthreads();
  if (t == 0) {
    after();
    multiply(d, a, b, 1);  // B
    commit(&ready);
  }
  while (!done(&ready, 1))
    ;
  END(d);
}
