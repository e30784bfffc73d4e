// target: sm_80
// A producer warp arrives at a mbarrier; the consumer warp reads without waiting for the
// phase.
#include "../micro.h"

__shared__ __align__(8) unsigned long long ready;

PTXSAN_BUILTIN void init(unsigned long long *b, unsigned n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SMEM(b)), "r"(n) : "memory");
}
PTXSAN_BUILTIN void arrive(unsigned long long *b) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN bool done(unsigned long long *b, unsigned parity) {
  unsigned ok;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(ok) : "r"(SMEM(b)), "r"(parity) : "memory");
  return ok;
}

__shared__ unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0)
    init(&ready, 32);
  __syncthreads();
  if (t < 32) {
    tile[t] = data[t];  // A
    arrive(&ready);
  } else {
#ifdef FIXED
    while (!done(&ready, 0))
      ;
#endif
    out[t - 32] = tile[63 - t];  // B
  }
}
