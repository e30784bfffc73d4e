// target: sm_100a
// A tile is written to shared memory, and multiplied without a proxy fence.
#include "../tensor.h"

MBARRIER ready;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void run(unsigned *out) {
  unsigned t = threadIdx.x;
  BEGIN(slot, ready, 1);
  fill(a, b);  // A
#ifdef FIXED
  fence_proxy_async();
#endif
  __syncthreads();
  unsigned d = slot;
  if (t == 0) {
    multiply(d, a, b, 0);  // B
    commit(&ready);
  }
  while (!done(&ready, 0))
    ;
  out[t] = 1;
  END(d);
}
