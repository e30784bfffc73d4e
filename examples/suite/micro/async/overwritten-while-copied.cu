// target: sm_80
// A pipeline of two stages in one buffer: the copy of the next stage starts while the
// other warp still reads the last one.
#include "../micro.h"

// Starts an asynchronous copy of four bytes to shared memory.
PTXSAN_BUILTIN void copy(unsigned *to, const unsigned *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(SMEM(to)), "l"(from) : "memory");
}
PTXSAN_BUILTIN void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

__shared__ unsigned tile[64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  copy(&tile[t], &data[t]);
  wait_all();
  __syncthreads();
  unsigned sum = tile[63 - t];  // A
#ifdef FIXED
  __syncthreads();
#endif
  copy(&tile[t], &data[63 - t]);  // B
  wait_all();
  __syncthreads();
  out[t] = sum + tile[63 - t];
}
