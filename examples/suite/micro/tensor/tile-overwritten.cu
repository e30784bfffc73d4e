// target: sm_100a
// A tile in shared memory is written while a product reads it.
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
    multiply(d, a, b, 0);  // A
    commit(&ready);
  }
#ifdef FIXED
  while (!done(&ready, 0))
    ;
#endif
  __syncthreads();
  b[t] = 0;  // B
  while (!done(&ready, 0))
    ;
  out[t] = 1;
  END(d);
}
