// What cases with tensor memory share (sm_100a): allocation, products of tiles of ones, loads and
// stores, fences. PTX ISA, "TensorCore 5th Generation Family Instructions".
#pragma once
#include "async.h"

// A is 128 rows of 16 halves, B 8 columns of 16, in core matrices of 8 by 16 bytes.
#define TILE_A __shared__ __align__(256) unsigned a[1024]
#define TILE_B __shared__ __align__(256) unsigned b[128]
#define ONES 0x3c003c00u

PTXSAN_BUILTIN unsigned long long describe(const void *m) {
  return (SMEM(m) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32 | 1ull << 46;
}

// Thread block of 128: warp 0 allocates 32 columns, thread 0 makes an mbarrier.
PTXSAN_BUILTIN void tensor_alloc(unsigned *slot) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(SMEM(slot)) : "memory");
}
PTXSAN_BUILTIN void tensor_free(unsigned addr) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 32;" ::"r"(addr) : "memory");
}
PTXSAN_BUILTIN void fill(unsigned *a, unsigned *b) {
  for (unsigned i = threadIdx.x; i < 1024; i += 128) a[i] = ONES;
  b[threadIdx.x] = ONES;
}
#define BEGIN(slot, ready, arrivals)          \
  if (threadIdx.x < 32) tensor_alloc(&slot); \
  if (threadIdx.x == 0) init(&ready, arrivals)

// D = A * B, or D += A * B, of 8 columns.
PTXSAN_BUILTIN void multiply(unsigned d, const void *a, const void *b, unsigned add) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
               ::"r"(d), "l"(describe(a)), "l"(describe(b)), "r"(0x08020010), "r"(add) : "memory");
}
// The same of 16 columns.
PTXSAN_BUILTIN void multiply16(unsigned d, const void *a, const void *b) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, 0, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }"
               ::"r"(d), "l"(describe(a)), "l"(describe(b)), "r"(0x08040010) : "memory");
}
// The same with A in tensor memory.
PTXSAN_BUILTIN void multiply_tensor(unsigned d, unsigned a, const void *b) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, 0, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }"
               ::"r"(d), "r"(a), "l"(describe(b)), "r"(0x08020010) : "memory");
}
PTXSAN_BUILTIN void copy(unsigned to, const void *a) {
  asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(to), "l"(describe(a)) : "memory");
}
PTXSAN_BUILTIN void commit(mbarrier *b) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
PTXSAN_BUILTIN void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }

// The cell of the thread's lane in the first column.
PTXSAN_BUILTIN unsigned load(unsigned addr) {
  unsigned v;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(v) : "r"(addr + (threadIdx.x >> 5 << 21)) : "memory");
  return v;
}
PTXSAN_BUILTIN void store(unsigned addr, unsigned v) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(addr + (threadIdx.x >> 5 << 21)), "r"(v) : "memory");
}
PTXSAN_BUILTIN void wait_ld() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void wait_st() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }

// The end of a case: warp 0 frees the memory when all have come here.
#define END(d)     \
  __syncthreads(); \
  if (threadIdx.x < 32) tensor_free(d)

// Pairs of blocks, each a cluster of two: the first one's thread multiplies A, of which each block has
// 128 rows, and B, of which each has 8 columns, to 16 columns of 128 rows in each block.
PTXSAN_BUILTIN void pair_alloc(unsigned *slot) {
  asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(SMEM(slot)) : "memory");
}
PTXSAN_BUILTIN void pair_free(unsigned addr) {
  asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 32;" ::"r"(addr) : "memory");
}
#define BEGIN_PAIR(slot, ready, arrivals)    \
  if (threadIdx.x < 32) pair_alloc(&slot);   \
  if (threadIdx.x == 0) init(&ready, arrivals)
PTXSAN_BUILTIN void pair_multiply(unsigned d, const void *a, const void *b) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, 0, 0;\n"
               "tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, p; }"
               ::"r"(d), "l"(describe(a)), "l"(describe(b)), "r"(0x10040010) : "memory");
}
// The end of what the thread's products do, told to its block, or to both.
PTXSAN_BUILTIN void pair_commit(mbarrier *b) {
  asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN void pair_commit_both(mbarrier *b) {
  asm volatile("{ .reg .b16 m; mov.b16 m, 3;\n"
               "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], m; }" ::"r"(SMEM(b)) : "memory");
}
// Arrives at the mbarrier of another block, as in_block names it.
PTXSAN_BUILTIN void arrive_remote(unsigned b) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
}
