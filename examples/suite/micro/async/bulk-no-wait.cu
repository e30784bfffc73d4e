// target: sm_90
// A bulk copy to shared memory, and a read that does not wait for its mbarrier.
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
// Copies n bytes asynchronously to shared memory; their arrival is counted by b.
PTXSAN_BUILTIN void bulk_load(unsigned *to, const unsigned *from, unsigned n, unsigned long long *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(SMEM(to)), "l"(from), "r"(n), "r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN void expect(unsigned long long *b, unsigned n) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(SMEM(b)), "r"(n) : "memory");
}

__shared__ __align__(16) unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t == 0) {
    init(&ready, 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    expect(&ready, 128);
    bulk_load(tile, data, 128, &ready);  // A
  }
  __syncthreads();
#ifdef FIXED
  while (!done(&ready, 0))
    ;
#endif
  out[t] = tile[t];  // B
}
