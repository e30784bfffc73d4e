// target: sm_100a
// A product of 128 by 64 by 64 in two stages: one thread copies tiles, one multiplies, all check the
// result. A stage is copied to again while a product still reads it.
#include "../tensor.h"

MBARRIER full[2];      // a stage has its tiles,
MBARRIER empty[2];     // and is no longer read
MBARRIER finished;
__shared__ unsigned slot;
__shared__ __align__(256) unsigned short left[2][128 * 16];
__shared__ __align__(256) unsigned short right[2][64 * 16];

// Rows of 32 bytes, swizzled.
PTXSAN_BUILTIN unsigned long long rows(const void *m) {
  return (SMEM(m) & 0x3ffff) >> 4 | 1ull << 16 | 16ull << 32 | 1ull << 46 | 6ull << 61;
}
// D = A * B, or D += A * B, of 128 by 64 by 16.
PTXSAN_BUILTIN void multiply64(unsigned d, const void *a, const void *b, unsigned add) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
               ::"r"(d), "l"(rows(a)), "l"(rows(b)), "r"(0x08100010), "r"(add) : "memory");
}
PTXSAN_BUILTIN void tensor_alloc64(unsigned *slot) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(SMEM(slot)) : "memory");
}
PTXSAN_BUILTIN void tensor_free64(unsigned addr) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(addr) : "memory");
}
PTXSAN_BUILTIN float number(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return f;
}

// out: how many elements of a row of the result are wrong.
__global__ void run(const tensor_map *a, const tensor_map *b, const unsigned short *as, const unsigned short *bs, unsigned *out) {
  unsigned t = threadIdx.x;
  if (t < 32) tensor_alloc64(&slot);
  if (t == 0) {
    for (int s = 0; s < 2; s++) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
    init(&finished, 1);
  }
  __syncthreads();
  unsigned d = slot;
  if (t == 0)
    for (unsigned k = 0; k < 4; k++) {
      unsigned s = k % 2;
      while (k >= 2 && !done(&empty[s], 0))
        ;
      arrive_expecting(&full[s], sizeof left[s] + sizeof right[s]);
      tensor_load(left[s], a, 16 * k, 0, &full[s]);   // A
      tensor_load(right[s], b, 16 * k, 0, &full[s]);  // B
    }
  if (t == 32) {
    for (unsigned k = 0; k < 4; k++) {
      unsigned s = k % 2;
      while (!done(&full[s], k / 2))
        ;
      after();
      multiply64(d, left[s], right[s], k);  // C
#ifdef FIXED
      commit(&empty[s]);
#else
      arrive(&empty[s]);
#endif
    }
    commit(&finished);
  }
  while (!done(&finished, 0))
    ;
  after();
  unsigned wrong = 0;
  for (unsigned n = 0; n < 64; n++) {
    float want = 0;
    for (unsigned k = 0; k < 64; k++) want += number(as[t * 64 + k]) * number(bs[n * 64 + k]);
    unsigned v = load(d + n);
    wait_ld();
    float diff = __builtin_bit_cast(float, v) - want;
    wrong += diff > 0.001f || diff < -0.001f;
  }
  out[t] = wrong;
  __syncthreads();
  if (t < 32) tensor_free64(d);
}
