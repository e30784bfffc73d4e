// target: sm_80
// Asynchronous copies that signal a mbarrier: cp.async.mbarrier.arrive arrives when the
// copies are done, a plain arrival does not wait for them.
#include "../micro.h"

// Starts an asynchronous copy of four bytes to shared memory.
PTXSAN_BUILTIN void copy(unsigned *to, const unsigned *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SMEM(to)), "l"(from) : "memory");
}
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
    copy(&tile[t], &data[t]);  // A
#ifdef FIXED
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(SMEM(&ready)) : "memory");
#else
    arrive(&ready);
#endif
  } else {
    while (!done(&ready, 0))
      ;
    out[t - 32] = tile[63 - t];  // B
  }
}
