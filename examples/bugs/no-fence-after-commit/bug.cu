// target: sm_100a
// All warps wait on a mbarrier for the commit of a product, and load it from tensor memory without a fence of their own.
#include "../../suite/micro/tensor.h"

MBARRIER ready;
__shared__ unsigned slot;
TILE_A;
TILE_B;

__global__ void product(unsigned *out) {
  BEGIN(slot, ready, 1);
  fill(a, b);
  fence_proxy_async();
  __syncthreads();
  unsigned d = slot;
  if (threadIdx.x == 0) {
    multiply(d, a, b, 0);  // A
    commit(&ready);
  }
  while (!done(&ready, 0))
    ;
#ifdef FIXED
  after();
#endif
  unsigned v = load(d);  // B
  wait_ld();
  out[threadIdx.x] = v;
  END(d);
}
