// One granule's metadata, and the rules by which iGUARD judges an access by them (SOSP
// 2021, 6.2, 6.4 and Table 2). For lib/iguard.cu.
#pragma once
#include "iguard_sync.h"

// Entry is one granule's metadata, taken into registers while its lock is held.
struct Entry {
  Word64 *words;
  Side accessor;
  uint64_t flags;

  METHOD Entry(Word64 *w, uint64_t head) : words(w), accessor{head, w[1]}, flags(head & (0xffull << IGUARD_FLAG_VALID_BIT)) {}
  METHOD Side side(int word) const { return {words[word], words[word + 1]}; }
  // md is the side that Table 2 compares loads or stores with.
  template <bool store> METHOD Side md() const { return store ? accessor : side(IGUARD_WRITER); }
  METHOD void put(int word, const Side &s) const {
    words[word] = s.id;
    words[word + 1] = s.sync;
  }
  METHOD bool valid(uint64_t tag) const {
    return flags & bit(IGUARD_FLAG_VALID_BIT) && (accessor.sync ^ tag) >> IGUARD_SYNC_TAG_SHIFT == 0;
  }
  METHOD bool modified() const { return flags & bit(IGUARD_FLAG_MODIFIED_BIT); }
  METHOD bool blkShared() const { return flags & bit(IGUARD_FLAG_BLKSHARED_BIT); }
  METHOD bool devShared() const { return flags & bit(IGUARD_FLAG_DEVSHARED_BIT); }
};

// Access is the instruction being checked, in one lane.
struct Access {
  uint64_t addr; // in the shared window for shared memory
  uint32_t info;
  unsigned mask; // lanes that execute it together
  METHOD bool atomic() const { return info >> IGUARD_INFO_ATOMIC_BIT & 1; }
  METHOD bool blockScope() const { return info >> IGUARD_INFO_BLOCKSCOPE_BIT & 1; }
  METHOD bool shared() const { return info >> IGUARD_INFO_SHARED_BIT & 1; }
  METHOD uint32_t size() const { return info & (1u << IGUARD_INFO_SIZE_BITS) - 1; }
};

// Pair is the current access and md of Table 2, the access that it is compared with:
// of loads the last writer, of stores the last accessor.
struct Pair {
  Side md;
  bool sameBlock, sameWarp;
  bool ordered; // within the warp: program order (P3), warp barrier or lock-step (P4)

  METHOD Pair(const State &s, const Access &a, const Side &curr, const Side &other) : md(other) {
    sameBlock = md.block() == curr.block();
    sameWarp = sameBlock && md.thread() / 32 == curr.thread() / 32;
    ordered = sameBlock && md.thread() == curr.thread() || sameWarp && warpSynced(s, a, curr);
  }
  METHOD bool warpSynced(const State &s, const Access &a, const Side &curr) const {
    return !(s.options & IGUARD_OPTION_ITS) || syncWarpBar(md.sync) != syncWarpBar(curr.sync) || a.mask >> (md.thread() & 31) & 1;
  }
};

// trivial decides P3 to P6 of Table 2.
//
// P3 and P4 let a load pass whatever the shared flags say: its md is the last writer,
// and program order or the warp barrier already orders that one.
template <bool store> INLINE bool trivial(const State &s, const Access &a, const Side &curr, const Entry &e, const Pair &p) {
  if (p.ordered && (!store || !e.blkShared() && !e.devShared())) return true;                                // P3, P4
  if (p.sameBlock && !e.devShared() && syncBlkBar(p.md.sync) != syncBlkBar(curr.sync)) return true;          // P5
  if (!a.atomic() || !syncAtomic(p.md.sync)) return false;
  if (p.sameBlock) return true;
  return !syncBlockScope(p.md.sync) && !(a.blockScope() && s.options & IGUARD_OPTION_SCOPE); // P6
}

// scopedAtomicRace is R1, for md as the text has it, or for the last writer as the
// table has it.
template <bool store> INLINE bool scopedAtomicRace(const State &s, const Access &a, const Side &curr, const Entry &e, const Pair &p, Side &other) {
  auto tooNarrow = [&](const Side &side) { return syncAtomic(side.sync) && syncBlockScope(side.sync) && side.block() != curr.block(); };
  if (tooNarrow(p.md)) return true;
  // Beyond the paper: the current atomic is the one whose scope is too narrow.
  if (s.options & IGUARD_OPTION_SCOPE && !p.sameBlock && syncAtomic(p.md.sync) && a.atomic() && a.blockScope()) return true;
  if (!store || !e.modified()) return false;
  Side writer = e.side(IGUARD_WRITER);
  if (!tooNarrow(writer)) return false;
  other = writer;
  return true;
}

// lockRace is R5. Beyond the paper: locks of block scope exclude no other block.
INLINE bool lockRace(const State &s, const Side &curr, const Pair &p) {
  if (!(s.options & IGUARD_OPTION_LOCKS)) return false;
  uint32_t held = syncLocks(p.md.sync), holds = syncLocks(curr.sync), common = held & holds;
  bool blockLocks = syncBlockLocks(p.md.sync) || syncBlockLocks(curr.sync);
  if (s.options & IGUARD_OPTION_LOCKSCOPE && !p.sameBlock && blockLocks) common = 0;
  return (held | holds) != 0 && noLocks(common);
}

// detailed decides R1 to R5 of Table 2: 0, or the number of the condition that holds,
// with the other side of the race.
//
// When a store's md is ordered before it within the warp while the flags say that
// others have accessed the location since, R3 asks about the last accessor of another
// warp (sharer) and not about the thread itself; else x++ under a correct lock
// would race with itself.
template <bool store> INLINE uint32_t detailed(const State &s, const Access &a, const Side &curr, const Entry &e, const Pair &p, Side &other) {
  other = p.md;
  if (scopedAtomicRace<store>(s, a, curr, e, p, other)) return 1;
  if (p.ordered) other = e.side(IGUARD_SHARER);
  Fences since(s, other);
  bool unfenced = since.devSame && since.blkSame;
  if (p.sameWarp && unfenced && !e.blkShared() && !e.devShared()) return 2;
  if (p.sameBlock && unfenced && !e.devShared()) return 3;
  if (!p.sameBlock && since.devSame) return 4;
  return lockRace(s, curr, p) ? 5 : 0;
}

// update records the access in the entry's words (6.2). The shared flags tell that
// the location was accessed by several warps or blocks since it was last stored
// to, or since a barrier of the only block that accesses it.
template <bool store> INLINE uint64_t update(const Access &a, const Side &curr, const Entry &e, bool valid, uint64_t tag) {
  uint64_t kind = (uint64_t)a.atomic() << IGUARD_SYNC_ATOMIC_BIT | (uint64_t)(a.atomic() && a.blockScope()) << IGUARD_SYNC_BLOCKSCOPE_BIT;
  uint64_t flags = bit(IGUARD_FLAG_VALID_BIT);
  if (store) {
    flags |= bit(IGUARD_FLAG_MODIFIED_BIT);
    e.put(IGUARD_WRITER, {curr.id, curr.sync | kind});
  } else if (valid) {
    flags = e.flags;
    if (e.accessor.block() != curr.block()) {
      flags |= bit(IGUARD_FLAG_DEVSHARED_BIT);
      e.put(IGUARD_SHARER, e.accessor);
    } else if (!e.devShared() && syncBlkBar(e.accessor.sync) != syncBlkBar(curr.sync)) {
      flags &= ~bit(IGUARD_FLAG_BLKSHARED_BIT);
    } else if (!e.accessor.sameWarp(curr)) {
      flags |= bit(IGUARD_FLAG_BLKSHARED_BIT);
      e.put(IGUARD_SHARER, e.accessor);
    }
    // A plain load leaves the Atomic and Scope flags as they were.
    if (!a.atomic()) kind = e.accessor.sync & (bit(IGUARD_SYNC_ATOMIC_BIT) | bit(IGUARD_SYNC_BLOCKSCOPE_BIT));
  }
  e.words[IGUARD_ACCESSOR + 1] = curr.sync | kind | tag;
  return curr.id | flags;
}

