// target: sm_80
// The barrier stands before the wait instead of after it.
#include "../micro.h"

// Starts an asynchronous copy of four bytes to shared memory.
PTXSAN_BUILTIN void copy(unsigned *to, const unsigned *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SMEM(to)), "l"(from) : "memory");
}
PTXSAN_BUILTIN void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  copy(&tile[t], &data[t]);  // A
#ifdef FIXED
  wait_all();
  __syncthreads();
#else
  __syncthreads();
  wait_all();
#endif
  out[t] = tile[63 - t];  // B
}
