// The iGUARD device library: race detection inside the kernel, after Kamath and
// Basu, "iGUARD: In-GPU Advanced Race Detection", SOSP 2021. Section, table and
// figure numbers below are that paper's.
//
// The pass calls one hook before (fences of acquire operations: after) each
// instrumented instruction, in the lanes that execute it. Data formats are in
// iguard_abi.h. Where the paper is silent or its text contradicts itself, the
// choice made here is explained at the place; passes/iguard lists all of them.
//
// generate.sh compiles this file to the committed iguard.ptx.
#include "iguard_rules.h"

#define HOOKED(result) extern "C" __device__ __attribute__((used)) result
#define HOOK HOOKED(void)
#define FUNCTION static __device__ __noinline__

__device__ State __ptxsan_iguard_state = {.uses = IGUARD_USES_NOTHING, .version = IGUARD_ABI_VERSION};

static_assert(sizeof(Race) == IGUARD_RACE_BYTES);

// -----------------------------------------------------------------------------
// Race records (6.4).

// report counts a race in the record of its site pair, or in State.dropped when
// the table is full around its place.
FUNCTION void report(uint32_t rule, uint64_t firstId, uint64_t firstSync, uint64_t secondId, uint64_t secondSync, uint64_t addr, uint32_t info) {
  State &s = __ptxsan_iguard_state;
  Side first = {firstId, firstSync}, second = {secondId, secondSync};
  uint32_t kind = first.block() != second.block() ? IGUARD_KIND_INTER_BLOCK
                  : first.sameWarp(second)        ? IGUARD_KIND_INTRA_WARP
                                                  : IGUARD_KIND_INTRA_BLOCK;
  uint64_t key = bit(IGUARD_KEY_VALID_BIT) | (uint64_t)rule << IGUARD_KEY_RULE_SHIFT | (uint64_t)kind << IGUARD_KEY_KIND_SHIFT |
                 (uint64_t)first.site() << IGUARD_KEY_FIRST_SHIFT | (uint64_t)second.site() << IGUARD_KEY_SECOND_SHIFT;
  uint32_t slot = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> (64 - IGUARD_RACE_COUNT_LOG2));
  for (int probe = 0; probe < IGUARD_RACE_PROBES; probe++) {
    Race *race = (Race *)s.races + (slot + probe) % (1u << IGUARD_RACE_COUNT_LOG2);
    uint64_t was = atomicCAS((unsigned long long *)&race->key, 0, key);
    if (was != 0 && was != key) continue;
    if (was == 0) {
      atomicAdd(&s.found, 1u);
      Fences since(s, first);
      uint32_t blkbar = syncBlkBar(*counters(s, first.block(), first.thread())) + *at<Word32>(s.blockbars, first.block()) & syncBlkBar(s.counter_bits);
      race->address = addr;
      race->first_sync = first.sync;
      race->second_sync = second.sync;
      race->first_block = first.block();
      race->second_block = second.block();
      race->detail = (since.blkSame ? 0 : IGUARD_DETAIL_BLKFENCE_CHANGED) |
                     (blkbar == syncBlkBar(first.sync) ? 0 : IGUARD_DETAIL_BLKBAR_CHANGED);
      race->size = info & (1u << IGUARD_INFO_SIZE_BITS) - 1;
    }
    atomicAdd(&race->count, 1u);
    if (options(s) & IGUARD_OPTION_STOP) use<IGUARD_USES_STOP>();
    return;
  }
  atomicAdd(&s.dropped, 1u);
}

// -----------------------------------------------------------------------------
// Race detection (6.4) under the lock of an entry (6.5).

// Usual is what check reads of State, in one access.
struct Usual {
  uint32_t index_mask, slot_granules, granule_shift, uses;
  METHOD explicit Usual(const State &s) {
    typedef uint32_t Words __attribute__((ext_vector_type(4)));
    Words w = *(const volatile __attribute__((address_space(1))) Words *)&s;
    index_mask = w.x, slot_granules = w.y, granule_shift = w.z, uses = w.w;
  }
  // place is the place of a granule of global memory when no two granules share an entry:
  // there are less than 2^32.
  METHOD Place place(uint64_t entries, uint64_t addr) const {
    uint32_t offset, slot;
    split(addr, offset, slot);
    return Place(entries, (offset >> granule_shift) + slot * slot_granules & index_mask, index_mask, 0);
  }
};

// globalPlace is the place of any granule of global memory.
INLINE Place globalPlace(const State &s, uint64_t granule) {
  uint64_t index = (granule & (1ull << s.slot_shift) - 1) + (granule >> s.slot_shift) * s.slot_granules;
  return Place(s.entries, (uint32_t)index & s.index_mask, s.index_mask, index >> s.index_bits << IGUARD_SYNC_TAG_SHIFT);
}

// takeEntry takes an entry's lock, and returns its first word; with the busy bit set
// when the lock is another's.
INLINE uint64_t takeEntry(const Place &p) {
  uint64_t head;
  asm volatile("atom.acquire.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(head) : "l"(p.words), "n"(bit(IGUARD_FLAG_BUSY_BIT)) : "memory");
  return head;
}

// releaseEntry writes an entry's first word, which gives the lock back.
INLINE void releaseEntry(const Place &p, uint64_t head) { asm volatile("st.release.gpu.global.b64 [%0], %1;" ::"l"(p.words), "l"(head) : "memory"); }

// judge decides P3 to P6 and the detailed conditions, and reports the race that they find. It
// returns whether there is one.
template <bool store> FUNCTION uint32_t judge(uint64_t addr, uint32_t info, unsigned mask, uint64_t id, uint64_t sync, Word64 *words, uint64_t head, uint32_t quiet) {
  const State &s = __ptxsan_iguard_state;
  Side curr = {id, sync}, other;
  Access a = {addr, info, mask, curr.block(), curr.site(), low(sync), high(sync)};
  Place place(words, s.index_mask);
  Entry e(place, head, low(head), high(head));
  Pair p(s, a, curr, e.md<store>());
  if (trivial<store>(s, a, curr, e, p)) return 0;
  uint32_t rule = detailed<store>(s, a, curr, e, p, other);
  if (rule == 0) return 0;
  if (!quiet) report(rule, other.id, other.sync, id, sync, addr, info);
  return 1;
}

// busy reports whether the word that takeEntry has returned says that the lock is another's.
INLINE bool busy(uint32_t high) { return high & flag(IGUARD_FLAG_BUSY_BIT); }

// checkEntry checks and updates one granule, of which a.addr is the first byte that is
// accessed, and gives the lock of its entry back. head is the entry's first word, with its
// halves. usual: it is one of the accesses that check handles, without tags. It reports
// whether there is a race.
template <bool store, bool usual> INLINE bool checkEntry(const State &s, const Access &a, const Place &place, uint64_t head, uint32_t headLow, uint32_t headHigh, bool quiet) {
  Entry e(place, head, headLow, headHigh);
  bool race = false;
  if (!usual && !e.tagged()) e.forget(); // P1
  bool valid = e.valid();
  asm("" : "+r"(e.flags)); // else tests of them are moved to where lanes have parted
  if (valid && !e.quick<store>(a)) {
    if (store | e.modified()) { // P2
      if (!store) e.flags |= flag(IGUARD_FLAG_LOADED_BIT);
      if (Before b = Before::of<store>(e); !settled<store>(a, e, b) && !(usual && fenced<store>(s, a, e, b))) race = judge<store>(a.addr, a.info, a.mask, a.side().id, a.sync(), place.words, head, quiet) != 0;
    }
    if (!store) share(a, e);
  }
  uint64_t next = update<store>(a, e);
  releaseEntry(place, next);
  return race;
}

// together keeps the compiler from leaving a round out of the middle: the lanes that
// took an entry's lock release it before any lane of theirs goes on.
INLINE uint32_t together(uint32_t high) {
  asm volatile("" : "+r"(high));
  return high;
}

// eachGranule checks the granules of an access.
//
// Lanes of a warp may want the same entry, and one that waits must not keep the
// one that holds it from going on, neither in lock-step nor with independent
// threads: so a lane never spins on the lock alone. A round of the loop tries the
// lock, and the lanes that got it check and release before any lane tries again.
// A lane that found the entry locked tries again when lanes that tried with it have
// given theirs back. Otherwise it waits, each time twice as long up to a
// limit that the host sets from the number of threads, the dynamic exponential
// back-off of 6.5; or always as long when it sets none.
template <bool store, bool usual> INLINE void eachGranule(uint64_t addr, uint32_t info, unsigned mask, uint32_t block, uint32_t site, uint32_t now, uint32_t holds) {
  const State &s = __ptxsan_iguard_state;
  bool reported = false;
  uint64_t granule = addr >> s.granule_shift;
  // Granules are counted, since the one after the last address has number 0 again.
  uint32_t inner = (1u << s.granule_shift) - 1, left = ((uint32_t)addr & inner) + size(info) + inner >> s.granule_shift;
#pragma clang loop unroll(disable)
  for (; left > 0; granule++, left--) {
    uint64_t first = granule << s.granule_shift;
    Access a = {first > addr ? first : addr, info, mask, block, site, now, holds};
    Place place = usual ? Usual(s).place(s.entries, first) : globalPlace(s, granule);
    uint32_t wait = IGUARD_BACKOFF_NS, whose, high;
    for (;;) {
      unsigned trying = __activemask();
      uint64_t head = takeEntry(place);
      split(head, whose, high);
      if (!busy(high)) reported |= checkEntry<store, usual>(s, a, place, head, whose, high, reported);
      if (!busy(together(high))) break;
      if (__activemask() != trying) continue; // one of them may have had it
      __nvvm_nanosleep(wait);
      if (wait < s.backoff_limit) wait *= 2;
    }
  }
}

// checkGranules checks granules of any sort, or that were found locked.
template <bool store> FUNCTION void checkGranules(uint64_t addr, uint32_t info, unsigned mask, uint32_t block, uint32_t site, uint64_t sync) {
  eachGranule<store, false>(addr, info, mask, block, site, low(sync), high(sync));
}

// coalesced is the lanes for which one checks (6.5): those of mask that load, or run an
// atomic operation on, the caller's location. They cannot race with each other.
INLINE unsigned coalesced(uint64_t addr, unsigned mask) { return __nvvm_match_any_sync_i64(mask, addr); }

// inferLocks keeps the lock tables of those who run an atomicCAS or atomicExch, and has
// those who wait for a lock let others work. It reports whether it has looked at the tables.
INLINE bool inferLocks(const State &s, const Who &who, const LockTable &warp, uint64_t addr, uint32_t info, unsigned mask, uint32_t used) {
  bool cas = info >> IGUARD_INFO_CAS_BIT & 1, exch = info >> IGUARD_INFO_EXCH_BIT & 1;
  if (!cas && !exch || !has<IGUARD_OPTION_LOCKS>(options(s))) return false;
  bool blockScope = info >> IGUARD_INFO_BLOCKSCOPE_BIT & 1;
  if (cas && __builtin_expect(lockCAS(s, who, warp, addr, blockScope, mask, used), 0)) __nvvm_nanosleep(IGUARD_BACKOFF_NS);
  if (!exch) return true;
  if (!has<IGUARD_USES_LOCKS>(used)) return false;
  lockExch(s, who, warp, addr, blockScope);
  return true;
}

// checkAny handles accesses of all sorts.
template <bool store> FUNCTION void checkAny(uint64_t addr, uint32_t site, uint32_t info, unsigned mask) {
  const State &s = __ptxsan_iguard_state;
  uint32_t used = uses();
  if (used & (IGUARD_USES_STOP | IGUARD_USES_NOTHING)) return;
  if (info >> IGUARD_INFO_GENERIC_BIT & 1 && !__isGlobal((void *)addr)) return; // other memory is not watched
  Who who;
  if (store) inferLocks(s, who, warpTable(s, who), addr, info, mask, used);
  bool alone = info >> IGUARD_INFO_ALONE_BIT & 1;
  if (!alone && (!store || info >> IGUARD_INFO_ATOMIC_BIT & 1) && !leader(coalesced(addr, __activemask()))) return;
  checkGranules<store>(addr, info, mask, who.block, site, syncWord(s, who));
}

// copyOf is a parameter in a register of its own: else there are two values in the
// parameter's, and the emulator cannot do without the parameter.
INLINE uint64_t copyOf(uint64_t parameter) {
  uint64_t value;
  asm("mov.b64 %0, %1;" : "=l"(value) : "l"(parameter));
  return value;
}
INLINE uint32_t copyOf(uint32_t parameter) {
  uint32_t value;
  asm("mov.b32 %0, %1;" : "=r"(value) : "r"(parameter));
  return value;
}

// Sorts of accesses that check handles: those of global memory that are no wider than a
// granule, generic ones that may be of other memory, and those that are wider.
enum Sort { USUAL, GENERIC, WIDE };

// check handles most accesses. Of plain ones only the size in info counts. block, now, holds and locks are the caller's: its block,
// the halves of its sync word without what it shares, and where its warp's lock table is. entries is where the table of entries is. This is executed for almost every access of the program, and so
// what is neither usual nor quick is left to others. In the emulator, an operation of 64
// bits costs what two of 32 do, and lanes that part for two ways a hundred times that: so
// there are few branches, and those around what most lanes do or few.
template <bool store, Sort sort> INLINE void check(uint64_t addr, uint32_t site, uint32_t info, uint32_t block, uint32_t now, uint32_t holds, uint64_t locks, uint64_t entries) {
  unsigned mask = __activemask();
  const State &s = __ptxsan_iguard_state;
  if (sort == GENERIC && !__isGlobal((void *)addr)) return;
  Usual usual(s);
  Who who(block, syncThread(now));
  LockTable warp(locks);
  bool infers = store && info & (1u << IGUARD_INFO_CAS_BIT | 1u << IGUARD_INFO_EXCH_BIT);
  if (usual.uses != 0) {
    if (__builtin_expect(usual.uses != IGUARD_USES_LOCKS, 0)) return checkAny<store>(addr, site, sort == WIDE ? info | 1u << IGUARD_INFO_WIDE_BIT : info, mask);
    if (!infers) holds |= locksHeld(s, who, warp); // locks change nothing else
  }
  if (infers && inferLocks(s, who, warp, addr, info, mask, usual.uses)) holds |= locksHeld(s, who, warp);
  Access a = {addr, info, mask, block, site, now, holds};
  if ((!store || a.atomic()) && !leader(coalesced(addr, sort == GENERIC ? __activemask() : mask))) return; // others may have left
  if (sort == WIDE) return eachGranule<store, true>(addr, info, mask, block, site, now, holds);
  Place place = usual.place(entries, addr);
  uint64_t head = takeEntry(place);
  uint32_t whose, high;
  split(head, whose, high);
  if (!busy(high)) checkEntry<store, true>(s, a, place, head, whose, high, false);
  if (__builtin_expect(busy(together(high)), 0)) checkGranules<store>(addr, info, mask, block, site, a.sync());
}

// plain and atomic are what hooks know of accesses without being told, and bytes is the size of
// those of which the pass says more: the compiler would load a byte of the parameter, which
// the emulator cannot pass in a register.
INLINE uint32_t plain(uint32_t info) {
  __builtin_assume(info < 1u << IGUARD_INFO_SIZE_BITS); // which the pass sees to
  return info;
}
INLINE uint32_t bytes(uint32_t info) {
  uint32_t size;
  asm("and.b32 %0, %1, %2;" : "=r"(size) : "r"(info), "n"((1 << IGUARD_INFO_SIZE_BITS) - 1));
  return size;
}
INLINE uint32_t atomic(uint32_t info, uint32_t kind) {
  const uint32_t kinds = 1u << IGUARD_INFO_CAS_BIT | 1u << IGUARD_INFO_EXCH_BIT;
  __builtin_assume((info & (kinds | 1u << IGUARD_INFO_ATOMIC_BIT)) == (kind | 1u << IGUARD_INFO_ATOMIC_BIT)); // which the pass sees to
  return info;
}

// -----------------------------------------------------------------------------
// Hooks.

// At the entry of a function: the number of the block, where the counters of the thread are (0 when no
// host has prepared the detector), what of the sync word is the thread's own, where the lock
// table of its warp is, and where the table of entries is. The hooks that count return the thread's own part anew.
HOOKED(uint32_t) __ptxsan_iguard_block() { return blockNumber(); }
HOOKED(uint64_t) __ptxsan_iguard_own_counters(uint32_t block) {
  return uses() & IGUARD_USES_NOTHING ? 0 : (uint64_t)counters(__ptxsan_iguard_state, block, threadNumber());
}
HOOKED(uint64_t) __ptxsan_iguard_self(uint64_t mine) { return mine == 0 ? 0 : *(Word64 *)mine | threadNumber(); }
HOOKED(uint64_t) __ptxsan_iguard_warp_locks(uint32_t block, uint64_t own) {
  return (uint64_t)warpTable(__ptxsan_iguard_state, Who(block, syncThread(own))).place;
}

HOOKED(uint64_t) __ptxsan_iguard_entries() { return __ptxsan_iguard_state.entries; }

// Before an access that is a usual one (check): a plain load, a plain store, an atomic load,
// an atomic store or read-modify-write operation, of these compare-and-swap and exchange
// apart. Atomic is meant in the PTX sense (relaxed, acquire). how says the number of bytes,
// of an atomic one the scope, and what is special about it. The generic ones may be of other
// memory, the wide ones are of several granules.
#define ACCESS_HOOK(name, store, sort, info) \
  HOOK __ptxsan_iguard_##name(uint64_t addr, uint32_t site, uint32_t how, uint32_t block, uint32_t low, uint32_t high, uint64_t locks, uint64_t entries) { \
    check<store, sort>(addr, site, info, block, low, copyOf(high), locks, entries); \
  }
ACCESS_HOOK(load, false, USUAL, plain(how))
ACCESS_HOOK(store, true, USUAL, plain(how))
ACCESS_HOOK(atomic_load, false, USUAL, atomic(how, 0))
ACCESS_HOOK(atomic, true, USUAL, atomic(how, 0))
ACCESS_HOOK(cas, true, USUAL, atomic(how, 1u << IGUARD_INFO_CAS_BIT))
ACCESS_HOOK(exch, true, USUAL, atomic(how, 1u << IGUARD_INFO_EXCH_BIT))
ACCESS_HOOK(generic_load, false, GENERIC, bytes(how))
ACCESS_HOOK(generic_store, true, GENERIC, bytes(how))
ACCESS_HOOK(generic_atomic, true, GENERIC, atomic(how, 0))
ACCESS_HOOK(wide_load, false, WIDE, bytes(how))
ACCESS_HOOK(wide_store, true, WIDE, bytes(how))
ACCESS_HOOK(wide_atomic, true, WIDE, atomic(how, 0))

// Before a compare-and-swap or an exchange that takes part in no race, and need not be checked.
#define LOCK_HOOK(name, kind) \
  HOOK __ptxsan_iguard_##name(uint64_t addr, uint32_t how, uint32_t block, uint64_t sync, uint64_t locks) { \
    uint32_t used = uses(); \
    if (used & (IGUARD_USES_STOP | IGUARD_USES_NOTHING)) return; \
    inferLocks(__ptxsan_iguard_state, Who(block, syncThread(sync)), LockTable(locks), addr, atomic(how, 1u << kind), __activemask(), used); \
  }
LOCK_HOOK(lock, IGUARD_INFO_CAS_BIT)
LOCK_HOOK(unlock, IGUARD_INFO_EXCH_BIT)

// Before any other access: one that only reads, one that may write. Read-modify-write
// operations are stores to Table 2.
HOOK __ptxsan_iguard_any_load(uint64_t addr, uint32_t site, uint32_t info) { checkAny<false>(addr, site, info, __activemask()); }
HOOK __ptxsan_iguard_any_store(uint64_t addr, uint32_t site, uint32_t info) { checkAny<true>(addr, site, info, __activemask()); }

// Before a fence of block scope or of device scope, a releasing operation and a barrier.cluster.arrive;
// after an acquiring operation (Figure 5b).
template <bool device> INLINE uint64_t fence(uint32_t block, uint64_t own, uint64_t mine, uint64_t locks) {
  const State &s = __ptxsan_iguard_state;
  if (mine == 0) return copyOf(own);
  uint32_t used = uses();
  Who who(block, syncThread(own));
  uint64_t sync = device ? countUp(s, mine, own, IGUARD_SYNC_DEVFENCE_SHIFT, IGUARD_SYNC_DEVFENCE_BITS) : countUp(s, mine, own, IGUARD_SYNC_BLKFENCE_SHIFT, IGUARD_SYNC_BLKFENCE_BITS);
  noteFence(s, who, sync, device, used);
  if (has<IGUARD_USES_LOCKS>(used)) lockFence(s, who, LockTable(locks), device);
  return sync;
}
HOOKED(uint64_t) __ptxsan_iguard_block_fence(uint32_t block, uint64_t own, uint64_t mine, uint64_t locks) { return fence<false>(block, own, mine, locks); }
HOOKED(uint64_t) __ptxsan_iguard_device_fence(uint32_t block, uint64_t own, uint64_t mine, uint64_t locks) { return fence<true>(block, own, mine, locks); }

// Before a barrier of the whole block (Figure 5a). Each thread counts the barriers
// it arrives at. All threads of the block arrive at the same ones, so between two
// barriers all counts are equal, no thread sees another's arrival, and no thread
// has to be elected (it might have exited).
HOOKED(uint64_t) __ptxsan_iguard_block_barrier(uint64_t own, uint64_t mine) {
  if (mine == 0) return copyOf(own);
  return countUp(__ptxsan_iguard_state, mine, own, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS);
}

// Before a barrier of some of the block's threads: the barrier itself, so that all
// of them have arrived; then each raises the block's count above what it saw when
// it arrived; then the program's own barrier, which none leaves before all have
// raised the count.
HOOKED(uint64_t) __ptxsan_iguard_partial_barrier(uint32_t id, uint32_t threads, uint32_t block, uint64_t own, uint64_t mine) {
  const State &s = __ptxsan_iguard_state;
  if (mine == 0) return copyOf(own);
  if (threads >= s.block_threads) return countUp(s, mine, own, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS);
  use<IGUARD_USES_BARRIERS>();
  uint32_t seen = *at<Word32>(s.blockbars, block);
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
  atomicMax((unsigned *)s.blockbars + block, seen + 1);
  return copyOf(own);
}

// Before any barrier of some of the block's threads in a module with bar.arrive,
// where a second arrival would be counted twice: each thread raises the block's
// count before it arrives. Accesses of threads that arrive later may then appear
// to follow the barrier: races are missed, none is invented.
HOOK __ptxsan_iguard_arrival() {
  const State &s = __ptxsan_iguard_state;
  if (uses() & IGUARD_USES_NOTHING) return;
  Who who;
  use<IGUARD_USES_BARRIERS>();
  atomicMax((unsigned *)s.blockbars + who.block, *at<Word32>(s.blockbars, who.block) + 1);
}

// Before bar.warp.sync (6.2): as for blocks, a barrier of the whole warp is counted
// by each thread, one of some lanes by the warp.
HOOKED(uint64_t) __ptxsan_iguard_warp_barrier(uint32_t lanes, uint32_t block, uint64_t own, uint64_t mine) {
  const State &s = __ptxsan_iguard_state;
  if (mine == 0) return copyOf(own);
  Who who(block, syncThread(own));
  if (lanes == ~0u) return countUp(s, mine, own, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS);
  use<IGUARD_USES_BARRIERS>();
  uint64_t warp = warpIndex(s, who.block, who.thread);
  uint32_t seen = *at<Word32>(s.warpbars, warp);
  __syncwarp(lanes);
  atomicMax((unsigned *)s.warpbars + warp, seen + 1);
  return copyOf(own);
}
