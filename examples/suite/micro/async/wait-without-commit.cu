// target: sm_80
// A wait for groups before the copy is committed to one.
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

__shared__ unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  copy(&tile[t], &data[t]);  // A
#ifdef FIXED
  commit();
  wait_group<0>();
#else
  wait_group<0>();
  commit();
#endif
  out[t] = tile[t];  // B
}
