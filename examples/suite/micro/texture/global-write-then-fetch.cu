// Ordinary stores to the memory of a texture, and fetches after a barrier of the block: the
// texture proxy sees such stores from the next kernel on.
#include "../micro.h"

PTXSAN_BUILTIN unsigned fetch(unsigned long long image, unsigned x) {
  unsigned v, unused;
  asm volatile("tex.1d.v4.u32.s32 {%0, %1, %1, %1}, [%2, {%3}];" : "=r"(v), "=r"(unused) : "l"(image), "r"(x) : "memory");
  return v;
}

#ifdef FIXED
__global__ void draw(unsigned *texels) { texels[threadIdx.x] = threadIdx.x + 7; }
__global__ void look(unsigned long long image, unsigned *out) { out[threadIdx.x] = fetch(image, 31 - threadIdx.x); }
#else
__global__ void run(unsigned *texels, unsigned long long image, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 32)
    texels[t] = t + 7;  // A
  __syncthreads();
  if (t >= 32)
    out[t - 32] = fetch(image, 63 - t);  // B
}
#endif
