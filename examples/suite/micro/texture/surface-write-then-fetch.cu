// A warp writes texels through a surface, another fetches them through a texture of it, in one
// kernel without a barrier or in two.
#include "../micro.h"

PTXSAN_BUILTIN unsigned fetch(unsigned long long image, unsigned x) {
  unsigned v, unused;
  asm volatile("tex.1d.v4.u32.s32 {%0, %1, %1, %1}, [%2, {%3}];" : "=r"(v), "=r"(unused) : "l"(image), "r"(x) : "memory");
  return v;
}
PTXSAN_BUILTIN void store(unsigned long long canvas, unsigned x, unsigned v) {
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], %2;" ::"l"(canvas), "r"(4 * x), "r"(v) : "memory");
}

#ifdef FIXED
__global__ void draw(unsigned long long canvas) { store(canvas, threadIdx.x, threadIdx.x + 7); }
__global__ void look(unsigned long long image, unsigned *out) { out[threadIdx.x] = fetch(image, 31 - threadIdx.x); }
#else
__global__ void run(unsigned long long canvas, unsigned long long image, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 32)
    store(canvas, t, t + 7);  // A
  else
    out[t - 32] = fetch(image, 63 - t);  // B
}
#endif
