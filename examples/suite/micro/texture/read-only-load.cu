// Stores, and loads of the same words by ld.global.nc (__ldg, const __restrict__) after a barrier
// of the block: such loads are outside the memory model, and may find what was there before.
#include "../micro.h"

PTXSAN_BUILTIN unsigned load(const unsigned *p) {
  unsigned v;
#ifdef FIXED
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
#else
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
#endif
  return v;
}

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  data[t] = t + 7;  // A
  __syncthreads();
  out[t] = load(data + 63 - t);  // B
}
