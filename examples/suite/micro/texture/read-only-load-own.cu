// Each thread stores a word and loads it by ld.global.nc (__ldg): not even the thread's own store
// is ordered before such a load.
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
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i + 7;  // A
  out[i] = load(data + i);  // B
}
