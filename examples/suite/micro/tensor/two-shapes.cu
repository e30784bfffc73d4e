// target: sm_100a
// Two products of different shapes are written to the same columns.
#include "../tensor.h"

MBARRIER ready, first;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  BEGIN(slot, ready, 1);
  if (t == 0) init(&first, 1);
  fill(a, b);
  fence_proxy_async();
  __syncthreads();
  unsigned d = slot;
  if (t == 0) {
    multiply16(d, a, b);  // A
#ifdef FIXED
    commit(&first);
    while (!done(&first, 0))
      ;
    after();
#endif
    multiply(d, a, b, 0);  // B
    commit(&ready);
  }
  while (!done(&ready, 0))
    ;
  after();
  unsigned v = load(d);
  wait_ld();
  out[t] = v;
  END(d);
}
