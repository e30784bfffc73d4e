// target: sm_100a
// The operand of a product in tensor memory is replaced by a copy of another thread, which has waited at a barrier only.
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
  for (unsigned i = 0; i < 8; i++) store(d + 16 + i, ONES);
  wait_st();
  before();
  __syncthreads();
  if (t == 0) {
    after();
    multiply_tensor(d, d + 16, b);  // A
    commit(&first);
#ifdef FIXED
    while (!done(&first, 0))
      ;
#endif
    before();
  }
  __syncthreads();
  if (t == 32) {
    after();
    copy(d + 16, a);  // B
    commit(&ready);
  }
  while (!done(&first, 0))
    ;
  while (!done(&ready, 0))
    ;
  after();
  unsigned v = load(d);
  wait_ld();
  out[t] = v;
  END(d);
}
