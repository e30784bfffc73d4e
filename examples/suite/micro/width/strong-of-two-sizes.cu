// A relaxed store of 64 bits and relaxed loads of its halves.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0))
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(data), "l"(1ull) : "memory");  // A
  if (BLOCK(1)) {
#ifdef FIXED
    unsigned long long v;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(data) : "memory");
    out[0] = (unsigned)v;
#else
    out[0] = ld_relaxed_gpu(data);  // B
    out[1] = ld_relaxed_gpu(data + 1);  // C
#endif
  }
}
