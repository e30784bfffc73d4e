// target: sm_80
// Two producer warps write, but the mbarrier counts and sees the arrivals of one.
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

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
#ifdef FIXED
  const unsigned expected = 64;
#else
  const unsigned expected = 32;
#endif
  if (t == 0)
    init(&ready, expected);
  __syncthreads();
  if (t < 64) {
    tile[t] = data[t];  // A
    if (t < expected)
      arrive(&ready);
  } else {
    while (!done(&ready, 0))
      ;
    out[t - 64] = tile[t - 64];
    out[t - 32] = tile[t - 32];  // B
  }
}
