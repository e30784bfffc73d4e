// What cases with asynchronous operations of sm_90 share: mbarriers, clusters, bulk copies.
// PTX ISA, "mbarrier", "Non-bulk copy", "Bulk copy", "st.async", "red.async".
#pragma once
#include "micro.h"

typedef unsigned long long mbarrier;
#define MBARRIER __shared__ __align__(8) mbarrier

// The address in shared::cluster of a shared variable of a block of the cluster.
PTXSAN_BUILTIN unsigned in_block(const void *p, unsigned block) {
  unsigned a;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(SMEM(p)), "r"(block));
  return a;
}
PTXSAN_BUILTIN unsigned cluster_rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
PTXSAN_BUILTIN void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

// Initialises a mbarrier for n arrivals and makes it known to the asynchronous proxy and
// to other blocks of the cluster, which must wait for a barrier yet.
PTXSAN_BUILTIN void init(mbarrier *b, unsigned n) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(SMEM(b)), "r"(n) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
PTXSAN_BUILTIN void arrive(mbarrier *b) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(SMEM(b)) : "memory");
}
// Arrives, and makes the phase wait for n more bytes.
PTXSAN_BUILTIN void arrive_expecting(mbarrier *b, unsigned n) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(SMEM(b)), "r"(n) : "memory");
}
PTXSAN_BUILTIN bool done(mbarrier *b, unsigned parity) {
  unsigned ok;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(ok) : "r"(SMEM(b)), "r"(parity) : "memory");
  return ok;
}
// The same, ordered with what other blocks of the cluster did.
PTXSAN_BUILTIN bool done_cluster(mbarrier *b, unsigned parity) {
  unsigned ok;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(ok) : "r"(SMEM(b)), "r"(parity) : "memory");
  return ok;
}

// A store and an addition to a word of another block of the cluster; its mbarrier
// counts the bytes when they have arrived. Both addresses are of in_block.
PTXSAN_BUILTIN void store_async(unsigned to, unsigned v, unsigned b) {
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(v), "r"(b) : "memory");
}
PTXSAN_BUILTIN void add_async(unsigned to, unsigned v, unsigned b) {
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to), "r"(v), "r"(b) : "memory");
}

// Bulk copies of n bytes to shared memory, which a mbarrier counts, and from there.
PTXSAN_BUILTIN void bulk_load(void *to, const void *from, unsigned n, mbarrier *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(SMEM(to)), "l"(from), "r"(n), "r"(SMEM(b)) : "memory");
}
// To the same place in all blocks of a mask, each of whose mbarriers counts the bytes.
PTXSAN_BUILTIN void bulk_multicast(void *to, const void *from, unsigned n, mbarrier *b, unsigned short blocks) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               ::"r"(SMEM(to)), "l"(from), "r"(n), "r"(SMEM(b)), "h"(blocks) : "memory");
}

// A tensor map as the host encodes it, and copies of the box at x, y.
struct tensor_map {
  alignas(64) unsigned long long words[16];
};
PTXSAN_BUILTIN void tensor_load(void *to, const tensor_map *from, int x, int y, mbarrier *b) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(SMEM(to)), "l"(from), "r"(x), "r"(y), "r"(SMEM(b)) : "memory");
}
PTXSAN_BUILTIN void tensor_store(const tensor_map *to, int x, int y, const void *from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(to), "r"(x), "r"(y), "r"(SMEM(from)) : "memory");
}

// Edits of a tensor map, which copies by any thread of the block find after a release by
// the thread that has edited, a barrier, and an acquire by the one that copies.
PTXSAN_BUILTIN void replace_dim(tensor_map *map, int dim, unsigned elements) {
  asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], %1, %2;" ::"l"(map), "n"(dim), "r"(elements) : "memory");
}
PTXSAN_BUILTIN void release_tensor_map() { asm volatile("fence.proxy.tensormap::generic.release.cta;" ::: "memory"); }
PTXSAN_BUILTIN void acquire_tensor_map(const tensor_map *map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.cta [%0], 128;" ::"l"(map) : "memory");
}

PTXSAN_BUILTIN void bulk_wait() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// What the generic proxy has written, the asynchronous proxy may read after this.
PTXSAN_BUILTIN void fence_proxy_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
