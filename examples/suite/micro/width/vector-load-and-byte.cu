// A vector load of four words, and a store of one byte of the last by another warp.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    unsigned a, b, c, d;
    asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(data) : "memory");  // A
    out[0] = a + b + c + d;
  }
#ifdef FIXED
  if (WARP(1))
    ((unsigned char *)data)[16] = 1;
#else
  if (WARP(1))
    ((unsigned char *)data)[15] = 1;  // B
#endif
}
