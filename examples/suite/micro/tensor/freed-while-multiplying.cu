// target: sm_100a
// Tensor memory is deallocated before the product in it is complete.
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
  if (t < 32) tensor_free(d);  // B
  while (!done(&ready, 0))
    ;
  out[t] = 1;
}
