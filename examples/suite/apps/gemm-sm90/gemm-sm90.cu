// target: sm_90a
// A product of matrices as kernels for sm_90 compute it: one warp copies tiles by tensor maps into
// a ring of stages, two warp groups multiply them by wgmma, mbarriers say which stages are full
// and which are empty, and a tensor copy writes the tile of the result. A block computes several tiles.
#include "../apps.h"
#include "../../micro/async.h"

RACES(full_wait,      // a warp group does not wait for the first copies of a tile
      early_release,  // a stage is given back when the product before its own is complete
      proxy_fence,    // no proxy fence between the stores of a tile and the copy of it
      store_wait)     // the tile in shared memory is written again while a copy still reads it

#define ROWS 128    // of a tile of the result, half of them of each warp group
#define COLUMNS 64  // of a tile of the result
#define DEPTH 64    // of a stage
#define STAGES 3
#define CONSUMERS 256  // threads that multiply; those of another warp copy

typedef unsigned short half;
struct stage {
  half a[ROWS * DEPTH];     // rows of 128 bytes, swizzled
  half b[COLUMNS * DEPTH];  // the same
};
extern __shared__ __align__(1024) stage ring[];  // STAGES, and the tile of the result behind them
MBARRIER full[STAGES];
MBARRIER empty[STAGES];

// Rows of 128 bytes, swizzled, eight of them in 1024 bytes.
PTXSAN_BUILTIN unsigned long long describe(const void *m) {
  return (SMEM(m) & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}
#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(d, i) FOUR(d, i), FOUR(d, i + 4), FOUR(d, i + 8), FOUR(d, i + 12)

// d = A * B, or d += A * B, of 64 by 64 by 16.
PTXSAN_BUILTIN void multiply(float *d, unsigned long long a, unsigned long long b, unsigned add) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %34, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
               "%12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
               "%32, %33, p, 1, 1, 0, 0; }"
               : SIXTEEN(d, 0), SIXTEEN(d, 16) : "l"(a), "l"(b), "r"(add) : "memory");
}
PTXSAN_BUILTIN void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Waits until n groups of products at most are left.
#define WAIT_PRODUCTS(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

// The barrier of the threads that multiply, and copies of the result.
PTXSAN_BUILTIN void sync_consumers() { asm volatile("bar.sync 1, %0;" ::"n"(CONSUMERS) : "memory"); }
PTXSAN_BUILTIN void commit_store() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
PTXSAN_BUILTIN void wait_store_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
PTXSAN_BUILTIN unsigned two_halves(float low, float high) {
  unsigned r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

// c = a * b, of whole tiles. a has rows of k halves, b columns of k; c has rows.
__global__ void gemm(const tensor_map *a, const tensor_map *b, const tensor_map *c, unsigned rows, unsigned columns, unsigned k) {
  unsigned t = threadIdx.x;
  if (t == 0)
    for (unsigned s = 0; s < STAGES; s++) {
      init(&full[s], 1);
      init(&empty[s], CONSUMERS / 32);
    }
  __syncthreads();
  unsigned down = rows / ROWS, tiles = down * (columns / COLUMNS), n = 0;

  if (t >= CONSUMERS) {
    if (t == CONSUMERS)
      for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x)
        for (unsigned at = 0; at < k; at += DEPTH, n++) {
          unsigned s = n % STAGES;
          while (!done(&empty[s], n / STAGES % 2 ^ 1))
            ;
          arrive_expecting(&full[s], sizeof(stage));
          tensor_load(ring[s].a, a, at, tile % down * ROWS, &full[s]);     // A
          tensor_load(ring[s].b, b, at, tile / down * COLUMNS, &full[s]);  // B
        }
    return;
  }

  unsigned group = t / 128, warp = t / 32 % 4, lane = t % 32;
  unsigned *out = (unsigned *)(ring + STAGES);  // two halves in a word
  for (unsigned tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float d[32] = {};
    for (unsigned at = 0; at < k; at += DEPTH, n++) {
      unsigned s = n % STAGES;
      while (!(race(full_wait) && group == 1 && at == 0) && !done(&full[s], n / STAGES % 2))
        ;
      begin();
      for (unsigned i = 0; i < DEPTH; i += 16)
        multiply(d, describe(&ring[s].a[group * 64 * DEPTH + i]), describe(&ring[s].b[i]), at + i);  // C
      commit();
      WAIT_PRODUCTS(1);
      if (lane == 0 && race(early_release))
        arrive(&empty[s]);
      else if (lane == 0 && at > 0)
        arrive(&empty[(n - 1) % STAGES]);
    }
    WAIT_PRODUCTS(0);
    if (lane == 0 && !race(early_release))
      arrive(&empty[(n - 1) % STAGES]);

    if (!race(store_wait) && t == 0)
      wait_store_read();
    sync_consumers();
    unsigned row = group * 64 + warp * 16 + lane / 4;
#pragma unroll
    for (unsigned i = 0; i < 32; i += 2)
      out[(row + i / 2 % 2 * 8) * (COLUMNS / 2) + i / 4 * 4 + lane % 4] = two_halves(d[i], d[i + 1]);  // D
    if (!race(proxy_fence))
      fence_proxy_async();
    sync_consumers();
    if (t == 0) {
      tensor_store(c, tile / down * COLUMNS, tile % down * ROWS, out);  // E
      commit_store();
    }
  }
  if (t == 0)
    wait_store_read();
}
