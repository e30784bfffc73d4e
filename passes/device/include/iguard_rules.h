// One granule's metadata, and the rules by which iGUARD judges an access by them (SOSP
// 2021, 6.2, 6.4 and Table 2). For lib/iguard.cu.
#pragma once
#include "iguard_sync.h"

// Place is where a granule's metadata are: the entry's first word, the index of its table's last entry,
// and the tag as it lies in the accessor's sync word. The words of a side are as far apart as there are
// entries in a run: neighbours in memory have neighbours for each of them, so that the accesses of a warp
// to its metadata coalesce as those to the data do. The sides are as far apart as a table of them is long.
struct Place {
  Word64 *words;
  uint32_t last;
  uint64_t tag;

  METHOD Place(Word64 *w, uint32_t lastEntry) : words(w), last(lastEntry), tag(0) {}
  METHOD Place(uint64_t table, uint32_t entry, uint32_t lastEntry, uint64_t t)
      : words(at<Word64>(table, entry + (entry & ~((1u << IGUARD_RUN_LOG2) - 1)))), last(lastEntry), tag(t) {}
  // first and second are the words of a side.
  template <int s> METHOD Word64 &first() const { return s == 0 ? *words : ((Word64 *)scaled<IGUARD_SIDE_BYTES * s>((uint64_t)words, last))[IGUARD_SIDE_BYTES / 8 * s]; }
  template <int s> METHOD Word64 &second() const { return (&first<s>())[1 << IGUARD_RUN_LOG2]; }
  template <int s> METHOD Side side() const { return {first<s>(), second<s>()}; }
  template <int s> METHOD void put(const Side &side) const {
    first<s>() = side.id;
    second<s>() = side.sync;
  }
};

// flag is a flag of an entry in the high half of the first word.
INLINE uint32_t flag(unsigned bit) { return 1u << (bit - IGUARD_ID_SITE_SHIFT); }

// kindBits are the bits of a sync word that say of what kind the access was.
const uint32_t kindBits = 1u << IGUARD_SYNC_ATOMIC_BIT | 1u << IGUARD_SYNC_BLOCKSCOPE_BIT;
static_assert(IGUARD_INFO_ATOMIC_BIT == IGUARD_SYNC_ATOMIC_BIT && IGUARD_INFO_BLOCKSCOPE_BIT == IGUARD_SYNC_BLOCKSCOPE_BIT);

struct Access;

// Entry is one granule's metadata, taken into registers while its lock is held.
struct Entry {
  const Place &place;
  Side accessor;
  uint32_t block, flags; // the halves of accessor.id, without the site
  uint32_t was, held;    // those of accessor.sync

  METHOD Entry(const Place &p, uint64_t head, uint32_t headLow, uint32_t headHigh)
      : place(p), accessor{head, p.second<IGUARD_ACCESSOR>()}, block(headLow), flags(headHigh & ~((1u << IGUARD_ID_SITE_BITS) - 1)) {
    split(accessor.sync, was, held);
  }
  // md is the side that Table 2 compares loads or stores with.
  template <bool store> METHOD Side md() const { return store ? accessor : place.side<IGUARD_WRITER>(); }
  // tagged reports whether the entry is that of the place's granule; forget empties another's.
  METHOD bool tagged() const { return (accessor.sync ^ place.tag) >> IGUARD_SYNC_TAG_SHIFT == 0; }
  METHOD void forget() { accessor.sync = was = held = flags = 0; }
  METHOD bool valid() const { return flags != 0; } // each access sets one
  // quick reports whether nobody but the current thread has accessed the granule since it was last stored
  // to, or ever; of atomic updates, whether the last access was one by its block. Then the access is
  // settled, and changes no flags.
  template <bool store> METHOD bool quick(const Access &a) const;
  // passed reports whether one block only has accessed the granule since it was last stored to, the
  // current thread's, which has passed a barrier since the last access.
  METHOD bool passed(const Access &a) const;
  // together reports whether one warp only has accessed the granule since it was last stored to, the current
  // thread's, and the last access was by a lane that executes the current one too (P4).
  METHOD bool together(const Access &a) const;
  METHOD bool modified() const { return flags & flag(IGUARD_FLAG_MODIFIED_BIT); }
  METHOD bool blkShared() const { return flags & flag(IGUARD_FLAG_BLKSHARED_BIT); }
  METHOD bool devShared() const { return has<1u << (IGUARD_FLAG_DEVSHARED_BIT - IGUARD_ID_SITE_SHIFT)>(flags); }
};

// size is the number of bytes that an access is of.
INLINE uint32_t size(uint32_t info) { return info & (1u << IGUARD_INFO_SIZE_BITS) - 1; }

// Access is the instruction being checked, in one lane and of one granule.
struct Access {
  uint64_t addr; // the first byte of the granule that is accessed
  uint32_t info;
  unsigned mask; // lanes that execute it together
  uint32_t block, site;
  uint32_t now, holds; // the halves of the thread's sync word
  METHOD uint64_t sync() const { return join(now, holds); }
  METHOD Side side() const { return {join(block, site), sync()}; }
  METHOD bool atomic() const { return info >> IGUARD_INFO_ATOMIC_BIT & 1; }
  METHOD bool blockScope() const { return info >> IGUARD_INFO_BLOCKSCOPE_BIT & 1; }
  // status is the low half of the sync word that remembers the access, but for what plain loads keep.
  METHOD uint32_t status() const { return atomic() ? lop3<LOP_A & LOP_B | LOP_C>(info, kindBits, now) : now; }
};

template <bool store> METHOD bool Entry::quick(const Access &a) const {
  if (store && a.atomic()) return lop3<~LOP_A & LOP_B | LOP_C>(was, 1u << IGUARD_SYNC_ATOMIC_BIT, block ^ a.block) == 0;
  const uint32_t disturbed = flag(IGUARD_FLAG_BLKSHARED_BIT) | flag(IGUARD_FLAG_DEVSHARED_BIT) | (store ? 0 : flag(IGUARD_FLAG_LOADED_BIT));
  uint32_t thread = lop3<(LOP_A ^ LOP_B) & LOP_C>(was, a.now, (1u << IGUARD_SYNC_THREAD_BITS) - 1);
  return lop3<LOP_A & LOP_B | LOP_C>(flags, disturbed, lop3<(LOP_A ^ LOP_B) | LOP_C>(block, a.block, thread)) == 0;
}

METHOD bool Entry::passed(const Access &a) const {
  uint32_t barriers = lop3<(LOP_A ^ LOP_B) & LOP_C>(was, a.now, (1u << IGUARD_SYNC_BLKBAR_BITS) - 1 << IGUARD_SYNC_BLKBAR_SHIFT);
  return lop3<LOP_A & LOP_B | LOP_C>(flags, flag(IGUARD_FLAG_DEVSHARED_BIT), block ^ a.block) == 0 & barriers != 0;
}

METHOD bool Entry::together(const Access &a) const {
  const uint32_t shared = flag(IGUARD_FLAG_BLKSHARED_BIT) | flag(IGUARD_FLAG_DEVSHARED_BIT);
  uint32_t otherWarp = lop3<(LOP_A ^ LOP_B) & LOP_C>(was, a.now, (1u << IGUARD_SYNC_THREAD_BITS) - 32);
  asm volatile("" : "+r"(otherWarp)); // else this is computed where passed is, for which the emulator has a handler
  return lop3<LOP_A & LOP_B | LOP_C>(flags, shared, lop3<(LOP_A ^ LOP_B) | LOP_C>(block, a.block, otherWarp)) == 0 & a.mask >> (was & 31);
}

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
    return !(options(s) & IGUARD_OPTION_ITS) || syncWarpBar(md.sync) != syncWarpBar(curr.sync) || a.mask >> (md.thread() & 31) & 1;
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
  return !syncBlockScope(p.md.sync) && !(a.blockScope() && options(s) & IGUARD_OPTION_SCOPE); // P6
}

// Before is md with what checks look at taken apart: its block, and the halves of its sync word.
struct Before {
  Side md;
  uint32_t block, was, held;
  template <bool store> METHOD static Before of(const Entry &e) {
    Before b{e.md<store>()};
    b.block = store ? e.block : b.md.block();
    if (store) b.was = e.was, b.held = e.held;
    else split(b.md.sync, b.was, b.held);
    return b;
  }
};

// settled decides the most frequent of P3 to P6 of accesses that are not quick, from what is at hand, in
// the low halves of the words and with no branches: trivial decides the others.
template <bool store> INLINE bool settled(const Access &a, const Entry &e, const Before &b) {
  if (store && !a.atomic()) return e.passed(a) || e.together(a);
  bool sameBlock = b.block == a.block;
  uint32_t thread = lop3<(LOP_A ^ LOP_B) & LOP_C>(b.was, a.now, (1u << IGUARD_SYNC_THREAD_BITS) - 1);
  uint32_t barriers = lop3<(LOP_A ^ LOP_B) & LOP_C>(b.was, a.now, (1u << IGUARD_SYNC_BLKBAR_BITS) - 1 << IGUARD_SYNC_BLKBAR_SHIFT);
  bool program = thread == 0 & !(store & e.blkShared());
  bool inBlock = sameBlock & (program & !store | !e.devShared() & (program | barriers != 0));
  if (!a.atomic()) return inBlock;
  return inBlock | syncAtomic(b.was) & (sameBlock | !syncBlockScope(b.was) & !a.blockScope());
}

// fenced reports, of plain accesses that are not settled, whether a fence of the other thread
// orders them and their locks do not contradict: then neither of R1 to R5 holds, and what
// else detailed looks at need not be. It says no when in doubt.
template <bool store> INLINE bool fenced(const State &s, const Access &a, const Entry &e, const Before &b) {
  uint32_t was = b.was, held = b.held;
  bool sameBlock = b.block == a.block, sameThread = syncThread(was ^ a.now) == 0, sameWarp = syncThread(was ^ a.now) / 32 == 0;
  // A granule that is not modified has no writer: the side is not even cleared.
  static_assert(IGUARD_SYNC_ATOMIC_BIT > IGUARD_FLAG_MODIFIED_BIT - IGUARD_ID_SITE_SHIFT);
  uint32_t modified = e.flags << (IGUARD_SYNC_ATOMIC_BIT - (IGUARD_FLAG_MODIFIED_BIT - IGUARD_ID_SITE_SHIFT));
  bool atomic = a.atomic() | syncAtomic(store ? lop3<LOP_A & LOP_B | LOP_C>(modified, low(e.place.second<IGUARD_WRITER>()), was) : was);
  // What is ordered within the warp by its barrier or by executing together is judged.
  if (atomic | sameBlock & sameWarp & !sameThread) return false;
  Side other = sameBlock & sameThread ? e.place.side<IGUARD_SHARER>() : b.md;
  uint64_t changed = *counters(s, other.block(), other.thread()) ^ other.sync;
  bool fence = syncDevFence(changed) != 0 | sameBlock & syncBlkFence(changed) != 0;
  bool noLock = syncLocks(held | a.holds) == 0, lock = !noLocks(syncLocks(held & a.holds)) & (sameBlock | !syncBlockLocks(held | a.holds));
  return fence & (noLock | lock);
}

// scopedAtomicRace is R1, for md as the text has it, or for the last writer as the
// table has it.
template <bool store> INLINE bool scopedAtomicRace(const State &s, const Access &a, const Side &curr, const Entry &e, const Pair &p, Side &other) {
  auto tooNarrow = [&](const Side &side) { return syncAtomic(side.sync) && syncBlockScope(side.sync) && side.block() != curr.block(); };
  if (tooNarrow(p.md)) return true;
  // Beyond the paper: the current atomic is the one whose scope is too narrow.
  if (options(s) & IGUARD_OPTION_SCOPE && !p.sameBlock && syncAtomic(p.md.sync) && a.atomic() && a.blockScope()) return true;
  if (!store || !e.modified()) return false;
  Side writer = e.place.side<IGUARD_WRITER>();
  if (!tooNarrow(writer)) return false;
  other = writer;
  return true;
}

// lockRace is R5. Beyond the paper: locks of block scope exclude no other block.
INLINE bool lockRace(const State &s, const Side &curr, const Pair &p) {
  if (!has<IGUARD_OPTION_LOCKS>(options(s))) return false;
  uint32_t held = syncLocks(p.md.sync), holds = syncLocks(curr.sync), common = held & holds;
  bool blockLocks = syncBlockLocks(p.md.sync) || syncBlockLocks(curr.sync);
  if (options(s) & IGUARD_OPTION_LOCKSCOPE && !p.sameBlock && blockLocks) common = 0;
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
  if (p.ordered) other = e.place.side<IGUARD_SHARER>();
  Fences since(s, other);
  bool unfenced = since.devSame && since.blkSame;
  if (p.sameWarp && unfenced && !e.blkShared() && !e.devShared()) return 2;
  if (p.sameBlock && unfenced && !e.devShared()) return 3;
  if (!p.sameBlock && since.devSame) return 4;
  return lockRace(s, curr, p) ? 5 : 0;
}

// share updates the flags of a granule for a load of it that is not quick, but for LOADED (6.2). The shared flags tell that the location was accessed by several
// warps or blocks since it was last stored to, or since a barrier of the only block that accesses it; then
// the accessor that the access displaces becomes the sharer.
INLINE void share(const Access &a, Entry &e) {
  bool passed = e.passed(a);
  e.flags &= ~(passed ? flag(IGUARD_FLAG_BLKSHARED_BIT) : 0);
  if (passed) return;
  bool otherBlock = e.block != a.block, otherWarp = syncThread(e.was ^ a.now) / 32 != 0;
  if (!(otherBlock | otherWarp)) return;
  e.place.put<IGUARD_SHARER>(e.accessor);
  e.flags |= otherBlock ? flag(IGUARD_FLAG_DEVSHARED_BIT) : flag(IGUARD_FLAG_BLKSHARED_BIT);
}

// update records the access in the entry's words but the first, which it returns.
template <bool store> INLINE uint64_t update(const Access &a, const Entry &e) {
  if (store) {
    uint64_t sync = join(a.status(), a.holds);
    uint64_t next = join(a.block, a.site | flag(IGUARD_FLAG_VALID_BIT) | flag(IGUARD_FLAG_MODIFIED_BIT));
    e.place.put<IGUARD_WRITER>({next, sync}); // whose flags nobody reads
    e.place.second<IGUARD_ACCESSOR>() = sync | e.place.tag;
    return next;
  }
  // A plain load leaves the Atomic and Scope flags as they were.
  uint32_t status = a.atomic() ? a.status() : lop3<LOP_A & LOP_B | LOP_C>(e.was, kindBits, a.now);
  e.place.second<IGUARD_ACCESSOR>() = join(status, a.holds) | e.place.tag;
  return join(a.block, lop3<LOP_A | LOP_B | LOP_C>(a.site, e.flags, flag(IGUARD_FLAG_VALID_BIT)));
}
