// A kernel loads by ld.global.nc (__ldg) what it overwrites: the words are not read-only as long as
// it runs, and a load may come after the store that follows it. The fixed kernel writes elsewhere.
#include "../micro.h"

PTXSAN_BUILTIN unsigned load(const unsigned *p) {
  unsigned v;
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = load(data + i);  // A
#ifdef FIXED
  out[i] = 2 * v;
#else
  data[i] = 2 * v;  // B
#endif
}
