// target: sm_80
// Two groups of copies, and a wait that leaves one group pending; the pending one is read.
#include "../micro.h"

// Starts an asynchronous copy of four bytes to shared memory.
PTXSAN_BUILTIN void copy(unsigned *to, const unsigned *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SMEM(to)), "l"(from) : "memory");
}
PTXSAN_BUILTIN void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int n>
PTXSAN_BUILTIN void wait_group() {
  asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory");
}

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  copy(&tile[t], &data[t]);
  commit();
  copy(&tile[t + 32], &data[t + 32]);  // A
  commit();
#ifdef FIXED
  wait_group<0>();
#else
  wait_group<1>();
#endif
  out[t] = tile[t] + tile[t + 32];  // B
}
