// target: sm_100a
// A product of matrices as kernels for sm_100 compute it: one thread copies tiles by tensor maps
// into a ring of stages, one multiplies them by tcgen05 into one of two accumulators in tensor
// memory, and four warps load the other accumulator and write the result. mbarriers say which
// stages are full or empty, and which accumulators are made or taken.
#include "../apps.h"
#include "../../micro/async.h"

RACES(full_wait,      // the first products of a tile are started before its copies are waited for
      early_release,  // a stage is given back while products still read it
      after_fence,    // no tcgen05 fence between the wait for an accumulator and its loads
      before_fence,   // no tcgen05 fence between these loads and giving the accumulator back
      load_wait)      // an accumulator is given back before its loads have been waited for

#define ROWS 128    // of a tile of the result, one for each thread that writes it
#define COLUMNS 64  // of a tile of the result
#define DEPTH 64    // of a stage
#define STAGES 3
#define WRITERS 128  // threads that write the result; a warp behind them copies, and one multiplies

typedef unsigned short half;
struct stage {
  half a[ROWS * DEPTH];     // rows of 128 bytes, swizzled
  half b[COLUMNS * DEPTH];  // the same
};
extern __shared__ __align__(1024) stage ring[];
MBARRIER full[STAGES];
MBARRIER empty[STAGES];
MBARRIER made[2];
MBARRIER taken[2];
__shared__ unsigned accumulators;  // their address in tensor memory

// Rows of 128 bytes, swizzled, eight of them in 1024 bytes.
PTXSAN_BUILTIN unsigned long long describe(const void *m) {
  return (SMEM(m) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 46 | 2ull << 61;
}
// d = A * B, or d += A * B, of 128 by 64 by 16.
PTXSAN_BUILTIN void multiply(unsigned d, unsigned long long a, unsigned long long b, unsigned add) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
               ::"r"(d), "l"(a), "l"(b), "r"(ROWS >> 4 << 24 | COLUMNS >> 3 << 17 | 1 << 4), "r"(add) : "memory");
}
PTXSAN_BUILTIN void commit(mbarrier *b) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
PTXSAN_BUILTIN void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
PTXSAN_BUILTIN void tensor_alloc(unsigned *slot) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(SMEM(slot)), "n"(2 * COLUMNS) : "memory");
}
PTXSAN_BUILTIN void tensor_free(unsigned d) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(d), "n"(2 * COLUMNS) : "memory");
}

// 32 columns of the thread's row.
#define FOUR(v, i) "=f"(v[i]), "=f"(v[i + 1]), "=f"(v[i + 2]), "=f"(v[i + 3])
#define SIXTEEN(v, i) FOUR(v, i), FOUR(v, i + 4), FOUR(v, i + 8), FOUR(v, i + 12)
PTXSAN_BUILTIN void load(float *v, unsigned from) {
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];"
               : SIXTEEN(v, 0), SIXTEEN(v, 16) : "r"(from) : "memory");
}
PTXSAN_BUILTIN void wait_loads() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
PTXSAN_BUILTIN unsigned two_halves(float low, float high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

// c = a * b, of whole tiles. a has rows of k halves, b columns of k; c has rows, two halves in a word.
__global__ void gemm(const tensor_map *a, const tensor_map *b, unsigned *c, unsigned rows, unsigned columns, unsigned k) {
  unsigned t = threadIdx.x;
  if (t == 0) {
    for (unsigned s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
    for (unsigned i = 0; i < 2; i++) {
      init(&made[i], 1);
      init(&taken[i], WRITERS);
    }
  }
  if (t / 32 == WRITERS / 32 + 1)
    tensor_alloc(&accumulators);
  before();
  __syncthreads();
  after();
  unsigned d = accumulators, down = rows / ROWS, tiles = down * (columns / COLUMNS), n = 0, i = 0;

  if (t == WRITERS)
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x)
      for (unsigned at = 0; at < k; at += DEPTH, n++) {
        unsigned s = n % STAGES;
        while (!done(&empty[s], n / STAGES % 2 ^ 1))
          ;
        arrive_expecting(&full[s], sizeof(stage));
        tensor_load(ring[s].a, a, at, tile % down * ROWS, &full[s]);     // A
        tensor_load(ring[s].b, b, at, tile / down * COLUMNS, &full[s]);  // B
      }

  if (t == WRITERS + 32)
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, i++) {
      while (!done(&taken[i % 2], i / 2 % 2 ^ 1))
        ;
      after();
      for (unsigned at = 0; at < k; at += DEPTH, n++) {
        unsigned s = n % STAGES;
        bool late = race(full_wait) && at == 0;
        while (!late && !done(&full[s], n / STAGES % 2))
          ;
        for (unsigned j = 0; j < DEPTH; j += 16)
          multiply(d + i % 2 * COLUMNS, describe(&ring[s].a[j]), describe(&ring[s].b[j]), at + j);  // C
        while (late && !done(&full[s], n / STAGES % 2))
          ;
        if (race(early_release))
          arrive(&empty[s]);
        else
          commit(&empty[s]);
      }
      commit(&made[i % 2]);
    }

  if (t < WRITERS)
    for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x, i++) {
      while (!done(&made[i % 2], i / 2 % 2))
        ;
      if (!race(after_fence))
        after();
      float v[COLUMNS];
#pragma unroll
      for (unsigned j = 0; j < COLUMNS; j += 32)
        load(v + j, d + i % 2 * COLUMNS + j + (t / 32 << 21));  // D
      if (!race(load_wait))
        wait_loads();
      if (!race(before_fence))
        before();
      arrive(&taken[i % 2]);
      if (race(load_wait))
        wait_loads();
      unsigned *out = c + ((tile % down * ROWS + t) * columns + tile / down * COLUMNS) / 2;
#pragma unroll
      for (unsigned j = 0; j < COLUMNS; j += 2)
        out[j / 2] = two_halves(v[j], v[j + 1]);
    }

  before();
  __syncthreads();
  after();
  if (t / 32 == WRITERS / 32 + 1)
    tensor_free(d);
}
