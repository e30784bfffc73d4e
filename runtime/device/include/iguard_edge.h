// Synchronisation edges, beyond the paper (option edge): a fence orders an access only
// before what comes after somebody has observed that fence. For lib/iguard.cu.
//
// R3 and R4 ask whether the thread of the earlier access has run a fence since, not whether
// the later thread knows of it. Here it must: through a strong write after the fence, which
// it, or one whom it knows of in turn, has read.
//
// A clock counts fences. Metadata keep the time of each access. What is known is vectors of
// times: up to which time the accesses of each class of blocks come before. Blocks that are
// IGUARD_EDGE_CLASSES apart share a class; words whose hashes are equal share what was
// released there; lanes of a warp know the same; a fence counts for its whole block. All of
// that makes threads know more than they do: races are missed, and none is invented.
#pragma once
#include "iguard_sync.h"

// Times is a vector: of each class of blocks a time, which only grows.
struct Times {
  unsigned *words;
  METHOD Times(uint64_t base, uint64_t index) : words((unsigned *)base + index * IGUARD_EDGE_CLASSES) {}
  METHOD uint32_t of(unsigned k) const { return *(volatile unsigned *)(words + k); }
  METHOD void raise(unsigned k, uint32_t time) const {
    if (of(k) < time) atomicMax(words + k, time);
  }
  METHOD void learn(const Times &other) const {
#pragma clang loop unroll(disable)
    for (unsigned k = 0; k < IGUARD_EDGE_CLASSES; k++) raise(k, other.of(k));
  }
};

// A warp has three vectors: what it knows, and what it knew, and had done itself, at its
// last fence of any scope and at its last fence of device scope. A block has one: what its
// warps knew at their last barrier.
enum EdgeVector { EDGE_KNOWN, EDGE_FENCED, EDGE_DEVICE_FENCED, EDGE_VECTORS };
INLINE Times edgeWarp(const State &s, const Who &who, EdgeVector which) { return Times(s.edgewarps, warpIndex(s, who.block, who.thread) * EDGE_VECTORS + which); }
INLINE Times edgeBlock(const State &s, uint32_t block) { return Times(s.edgeblocks, block); }
INLINE unsigned edgeClass(uint32_t block) { return block % IGUARD_EDGE_CLASSES; }

// edgeRow is what has been released at a location to all blocks, or to one, whose number
// plus one is to.
INLINE Times edgeRow(const State &s, uint64_t addr, uint32_t to) {
  uint32_t key = (uint32_t)(addr >> 2) ^ (uint32_t)(addr >> 32) * 0x85ebca6bu ^ to * 0xc2b2ae35u;
  return Times(s.edgerows, key * 0x9e3779b1u >> (32 - IGUARD_EDGE_ROWS_LOG2));
}

// edgeFence is a fence of the calling thread: what its warp and its block have done so far,
// and what they know, it may release from now on.
INLINE void edgeFence(State &s, const Who &who, bool device) {
  uint32_t time = atomicAdd(&s.clock, 1u) + 1;
  Times known = edgeWarp(s, who, EDGE_KNOWN);
  known.learn(edgeBlock(s, who.block));
  for (int which = EDGE_FENCED; which <= (device ? EDGE_DEVICE_FENCED : EDGE_FENCED); which++) {
    Times fenced = edgeWarp(s, who, (EdgeVector)which);
    fenced.learn(known);
    fenced.raise(edgeClass(who.block), time);
  }
}

// edgeRelease is a strong write that the calling thread is about to make. Of block scope, it
// says nothing to other blocks.
INLINE void edgeRelease(const State &s, const Who &who, uint64_t addr, bool blockScope) {
  edgeRow(s, addr, 1 + who.block).learn(edgeWarp(s, who, EDGE_FENCED));
  if (!blockScope) edgeRow(s, addr, 0).learn(edgeWarp(s, who, EDGE_DEVICE_FENCED));
  __threadfence();
}

// edgeObserve is a strong read that the calling thread has made. Its scope does not matter,
// as nothing is asked of the second thread elsewhere: R1 is about that.
INLINE void edgeObserve(const State &s, const Who &who, uint64_t addr) {
  __threadfence();
  Times known = edgeWarp(s, who, EDGE_KNOWN);
  known.learn(edgeRow(s, addr, 1 + who.block));
  known.learn(edgeRow(s, addr, 0));
}

// edgeBarrier is a barrier at which the calling thread is about to arrive.
INLINE void edgeBarrier(const State &s, const Who &who) {
  edgeBlock(s, who.block).learn(edgeWarp(s, who, EDGE_KNOWN));
  __threadfence();
}

// edgePending is where a thread keeps the location of a strong read from before the
// instruction, which may overwrite the address, until after it.
INLINE Word64 *edgePending(const State &s, const Who &who) { return at<Word64>(s.edgepending, threadIndex(s, who.block, who.thread)); }

// edgeTimes is when the sides of an entry of global memory accessed it, by the place of its
// first word.
INLINE Word32 *edgeTimes(const State &s, const Word64 *words) {
  const uint32_t run = IGUARD_SIDE_BYTES / 8 << IGUARD_RUN_LOG2;
  uint64_t at = ((uint64_t)words - s.entries) / 8;
  return (Word32 *)s.edgetimes + ((at / run << IGUARD_RUN_LOG2) + at % run) * IGUARD_EDGE_TIMES;
}
INLINE Word32 &edgeTime(const State &s, const Word64 *words, int side) { return edgeTimes(s, words)[side]; }

// edgeKnown reports whether the warp and block of an access know of a fence after another
// one.
INLINE bool edgeKnown(const State &s, const Side &curr, const Side &other, uint32_t time) {
  unsigned k = edgeClass(other.block());
  return edgeWarp(s, Who(), EDGE_KNOWN).of(k) > time || edgeBlock(s, curr.block()).of(k) > time;
}
