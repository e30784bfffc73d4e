// What a block knows between its regions under LDetector, and its barriers. For
// lib/ldetector.cu; section numbers are those of the paper that it names.
#pragma once
#include "ldetector_region.h"

#define HOOK(result) extern "C" __device__ __attribute__((used)) result
#define OPERATION(result) extern "C" __device__ __noinline__ __attribute__((used)) result
#define FUNCTION static __device__ __noinline__

extern __device__ State __ptxsan_ldetector_state;

// Block is what a block knows between its regions.
struct Block {
  Segment segment;
  uint32_t base;     // of segment.original in the shared window
  uint32_t usable;   // not 0: regions can be checked
  uint32_t large;    // not 0: they cannot, as the segment is too large
  uint32_t region;   // this one
  uint32_t checked;  // it is
  uint32_t end;      // where it ends
  uint32_t pass;     // 1, 2, and from 3 on to find what was read; WATCHING
  uint32_t conflict; // offset of the first byte that two warps have modified
  uint32_t second;   // the first warp whose outputs differ after the second pass
  uint32_t left;     // LDETECTOR_LEFT_*, in that warp
  uint32_t address;  // offset of the first byte of its copy that differs
  uint32_t thread;   // the first of its threads whose digests differ
  uint32_t low;      // merging the bytes below gives the outputs of the first pass; PROBING: see met
  uint32_t high;     // merging those below gives others
  uint32_t records;  // made by this execution of the region, with a place
  uint32_t index;    // of the block in the grid, linear
  uint32_t current;  // of the first Block of a block: which one is in use
  volatile uint32_t busy; // not 0: a child grid uses it
  uint32_t unused;
  uint64_t digests;  // Digest[threads]
  uint32_t watched[LDETECTOR_RACE_SITES]; // the first of them, by their indices
  uint32_t rows[LDETECTOR_LANES]; // of each warp's log; LDETECTOR_NONE: nothing is logged
  uint32_t exited[LDETECTOR_LANES];  // of each warp, the lanes that have exited in the user's program
  uint32_t arrived[LDETECTOR_LANES]; // ... that wait in __ptxsan_ldetector_lanes
};

enum : uint32_t {
  WATCHING = 0, // the pass of which the accesses that touch racing bytes are noted
  PROBING = 3,  // with LDETECTOR_OPTION_SITES, the pass after the second one, which finds a warp that reads what another has modified
};

static_assert(sizeof(State) == LDETECTOR_STATE_BYTES);
static_assert(sizeof(Block) <= LDETECTOR_BLOCK_BYTES);
static_assert(sizeof(Digest) == LDETECTOR_DIGEST_BYTES);
static_assert(sizeof(LogRow) == LDETECTOR_LOG_ROW_BYTES);
static_assert(sizeof(Race) == LDETECTOR_RACE_BYTES);

INLINE uint32_t blockIndex() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
INLINE uint64_t blockMemory(const State &s) { return s.blocks + s.block_stride * blockIndex(); }
// blockOf is the Block in use. With speculation a block has several: the others are, or were,
// the environments of child grids.
INLINE Block *blockOf(const State &s) {
  uint64_t first = blockMemory(s);
  if (s.slots > 1) first += (uint64_t)s.slot_stride * ((const volatile Block *)first)->current;
  return (Block *)first;
}
INLINE uint64_t sharedWindow() {
  uint64_t generic;
  asm("cvta.shared.u64 %0, 0;" : "=l"(generic));
  return generic;
}

// -----------------------------------------------------------------------------
// Barriers of the block.

INLINE void barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }
INLINE bool barrierAnd(bool p) {
  uint32_t all;
  asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tbarrier.red.and.pred q, 0, p;\n\tselp.u32 %0, 1, 0, q;\n\t}" : "=r"(all) : "r"((uint32_t)p) : "memory");
  return all != 0;
}
INLINE bool barrierOr(bool p) { return !barrierAnd(!p); }
