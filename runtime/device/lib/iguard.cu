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
#include "cuda_builtins.h"
#include "iguard_abi.h"

#define HOOK extern "C" __device__ __attribute__((used)) void
#define METHOD __device__ __forceinline__
#define INLINE static METHOD

// Words of device memory that several threads read and write: volatile, so that
// each access reaches memory, and named global, so that it needs no generic test.
typedef volatile __attribute__((address_space(1))) uint64_t Word64;
typedef volatile __attribute__((address_space(1))) uint32_t Word32;
typedef volatile __attribute__((address_space(1))) uint8_t Word8;

__device__ State __ptxsan_iguard_state = {.version = IGUARD_ABI_VERSION};

static_assert(sizeof(Race) == IGUARD_RACE_BYTES);

template <typename T> INLINE T *at(uint64_t base, uint64_t index) { return (T *)base + index; }
INLINE uint64_t bit(unsigned n) { return 1ull << n; }
INLINE uint32_t field(uint64_t word, unsigned shift, unsigned bits) { return (uint32_t)(word >> shift) & ((1u << bits) - 1); }

// -----------------------------------------------------------------------------
// Who executes.

struct Who {
  uint32_t block;  // linear index in the grid
  uint32_t thread; // linear index in the block
  uint64_t gthread; // index in the per-thread arrays
  uint64_t gwarp;   // index in the per-warp arrays

  METHOD Who() {
    block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    uint32_t threads = threadsPerBlock();
    gthread = (uint64_t)block * threads + thread;
    gwarp = (uint64_t)block * ((threads + 31) / 32) + thread / 32;
  }
  METHOD uint32_t threadsPerBlock() { return blockDim.x * blockDim.y * blockDim.z; }
};

INLINE bool leader(unsigned mask) { return (mask & (0u - mask)) == 1u << (__nvvm_read_ptx_sreg_laneid() & 31); }

// -----------------------------------------------------------------------------
// Lock inference (6.3, Figure 7).

// lockHash is the 18-bit hash of a lock variable's address.
INLINE uint32_t lockHash(uint64_t addr) {
  uint32_t folded = (uint32_t)(addr >> 2) ^ (uint32_t)(addr >> 32) * 0x85ebca6bu;
  return folded * 0x9e3779b1u >> (32 - IGUARD_LOCK_HASH_BITS);
}

// lockEntry is the table entry, not yet active, of a lock taken at a scope.
INLINE uint32_t lockEntry(uint64_t addr, bool blockScope) {
  return lockHash(addr) | (uint32_t)blockScope << IGUARD_LOCK_BLOCKSCOPE_BIT | 1u << IGUARD_LOCK_VALID_BIT;
}

INLINE uint32_t tableEntry(uint64_t table, int i) { return field(table, i * IGUARD_LOCK_ENTRY_BITS, IGUARD_LOCK_ENTRY_BITS); }
INLINE bool sameLock(uint32_t a, uint32_t b) { return ((a ^ b) & ~(1u << IGUARD_LOCK_ACTIVE_BIT)) == 0; }

INLINE Word64 *warpTable(const State &s, const Who &who) { return at<Word64>(s.warplocks, who.gwarp); }
INLINE Word64 *threadTable(const State &s, const Who &who) { return at<Word64>(s.threadlocks, who.gthread); }

// lockTable is the table in force: the warp's, or the thread's own after the warp
// has switched to per-thread locks. Both are kept up to date all the time, so that
// a lock held at the switch is not forgotten.
INLINE uint64_t lockTable(const State &s, const Who &who) {
  uint64_t table = *warpTable(s, who);
  return table & bit(IGUARD_LOCK_ISTHREAD_BIT) ? *threadTable(s, who) : table;
}

// enter adds a lock to a table, unless it is there. The oldest entry gives way in
// a full one.
INLINE void enter(Word64 *place, uint32_t entry) {
  uint64_t table = *place;
  int free = -1;
  for (int i = IGUARD_LOCK_ENTRIES - 1; i >= 0; i--) {
    uint32_t have = tableEntry(table, i);
    if (sameLock(have, entry)) return;
    if (have == 0) free = i;
  }
  if (free < 0) {
    table = table >> IGUARD_LOCK_ENTRY_BITS & (bit(2 * IGUARD_LOCK_ENTRY_BITS) - 1);
    free = IGUARD_LOCK_ENTRIES - 1;
  }
  *place = table | (uint64_t)entry << free * IGUARD_LOCK_ENTRY_BITS;
}

// leave removes a lock from a table.
INLINE void leave(Word64 *place, uint32_t entry) {
  uint64_t table = *place;
  for (int i = 0; i < IGUARD_LOCK_ENTRIES; i++) {
    uint64_t all = (bit(IGUARD_LOCK_ENTRY_BITS) - 1) << i * IGUARD_LOCK_ENTRY_BITS;
    if (sameLock(tableEntry(table, i), entry)) __nvvm_atom_and_gen_ll((long long *)place, ~all);
  }
}

// activate marks a table's locks as held: those entered at the fence's scope or a
// narrower one.
INLINE void activate(Word64 *place, bool device) {
  uint64_t table = *place, active = 0;
  if (table << 1 == 0) return;
  for (int i = 0; i < IGUARD_LOCK_ENTRIES; i++) {
    uint32_t have = tableEntry(table, i);
    bool covered = device || have >> IGUARD_LOCK_BLOCKSCOPE_BIT & 1;
    if (have >> IGUARD_LOCK_VALID_BIT && covered) active |= bit(i * IGUARD_LOCK_ENTRY_BITS + IGUARD_LOCK_ACTIVE_BIT);
  }
  if (active & ~table) __nvvm_atom_or_gen_ll((long long *)place, active);
}

// lockCAS enters the lock that an atomicCAS may be taking. Several lanes at one
// atomicCAS switch their warp to per-thread tables for the rest of the launch.
static __device__ __noinline__ void lockCAS(uint64_t addr, bool blockScope, unsigned mask) {
  const State &s = __ptxsan_iguard_state;
  Who who;
  uint32_t entry = lockEntry(addr, blockScope);
  enter(threadTable(s, who), entry);
  Word64 *warp = warpTable(s, who);
  if (__popc(mask) > 1)
    *warp = bit(IGUARD_LOCK_ISTHREAD_BIT);
  else if (!(*warp & bit(IGUARD_LOCK_ISTHREAD_BIT)))
    enter(warp, entry);
}

// lockExch removes the lock that an atomicExch releases.
static __device__ __noinline__ void lockExch(uint64_t addr, bool blockScope) {
  const State &s = __ptxsan_iguard_state;
  Who who;
  uint32_t entry = lockEntry(addr, blockScope);
  leave(threadTable(s, who), entry);
  leave(warpTable(s, who), entry);
}

// lockFence activates the locks that a fence completes the acquisition of.
static __device__ __noinline__ void lockFence(bool device) {
  const State &s = __ptxsan_iguard_state;
  Who who;
  activate(threadTable(s, who), device);
  activate(warpTable(s, who), device);
}

// locksHeld is the summary of a table's active entries, as it enters the sync word:
// a 16-bit Bloom filter of two ways of eight bits, one bit of each way per lock, and
// whether there are locks, all of block scope.
INLINE uint64_t locksHeld(uint64_t table) {
  uint32_t filter = 0, device = 0;
  if (table << 1 == 0) return 0;
  for (int i = 0; i < IGUARD_LOCK_ENTRIES; i++) {
    uint32_t have = tableEntry(table, i);
    if (!(have >> IGUARD_LOCK_ACTIVE_BIT & 1)) continue;
    filter |= 1u << (have & 7) | 0x100u << (have >> 3 & 7);
    device |= ~have >> IGUARD_LOCK_BLOCKSCOPE_BIT & 1;
  }
  return (uint64_t)filter << IGUARD_SYNC_LOCKS_SHIFT | (uint64_t)(filter != 0 && !device) << IGUARD_SYNC_BLOCKLOCKS_BIT;
}

// noLocks reports whether a filter stands for no lock: a lock leaves a bit in both
// ways, so an empty way is an empty set.
INLINE bool noLocks(uint32_t filter) { return (filter & 0xff) == 0 || (filter & 0xff00) == 0; }

// -----------------------------------------------------------------------------
// Synchronisation metadata (6.1, 6.2).

// syncWord is the synchronisation status of a thread, as it enters the metadata.
INLINE uint64_t syncWord(const State &s, const Who &who) {
  uint32_t count = *at<Word32>(s.counters, who.gthread);
  uint32_t blkbar = (count >> IGUARD_COUNT_BLKBAR_SHIFT) + *at<Word32>(s.blockbars, who.block);
  uint32_t warpbar = (count >> IGUARD_COUNT_WARPBAR_SHIFT) + *at<Word32>(s.warpbars, who.gwarp);
  uint32_t low = who.thread | (count & 0x3f) << IGUARD_SYNC_DEVFENCE_SHIFT |
                 (count >> IGUARD_COUNT_BLKFENCE_SHIFT & 0x3f) << IGUARD_SYNC_BLKFENCE_SHIFT;
  uint64_t word = low | (uint64_t)(blkbar & 0xff) << IGUARD_SYNC_BLKBAR_SHIFT |
                  (uint64_t)(warpbar & 0x3f) << IGUARD_SYNC_WARPBAR_SHIFT;
  if (s.options & IGUARD_OPTION_LOCKS) word |= locksHeld(lockTable(s, who));
  return word;
}

INLINE uint32_t syncThread(uint64_t w) { return field(w, IGUARD_SYNC_THREAD_SHIFT, IGUARD_SYNC_THREAD_BITS); }
INLINE uint32_t syncBlkBar(uint64_t w) { return field(w, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS); }
INLINE uint32_t syncWarpBar(uint64_t w) { return field(w, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS); }
INLINE uint32_t syncLocks(uint64_t w) { return field(w, IGUARD_SYNC_LOCKS_SHIFT, IGUARD_SYNC_LOCKS_BITS); }
INLINE bool syncBlockLocks(uint64_t w) { return w & bit(IGUARD_SYNC_BLOCKLOCKS_BIT); }
INLINE bool syncAtomic(uint64_t w) { return w & bit(IGUARD_SYNC_ATOMIC_BIT); }
INLINE bool syncBlockScope(uint64_t w) { return w & bit(IGUARD_SYNC_BLOCKSCOPE_BIT); }

// countUp increments one of the calling thread's counters, modulo 256.
INLINE void countUp(const State &s, const Who &who, unsigned shift) {
  Word8 *counter = at<Word8>(s.counters, who.gthread * 4 + shift / 8);
  *counter = *counter + 1;
}

// Side is one access as the metadata remembers it.
struct Side {
  uint64_t id, sync;
  METHOD uint32_t block() const { return (uint32_t)id; }
  METHOD uint32_t site() const { return field(id, IGUARD_ID_SITE_SHIFT, IGUARD_ID_SITE_BITS); }
  METHOD uint32_t thread() const { return syncThread(sync); }
  METHOD bool sameWarp(const Side &o) const { return block() == o.block() && thread() / 32 == o.thread() / 32; }
};

// Fences says which fences a side's thread has executed since the access.
struct Fences {
  bool devSame, blkSame;
  METHOD Fences(const State &s, const Who &who, const Side &side) {
    uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    uint32_t now = *at<Word32>(s.counters, (uint64_t)side.block() * threads + side.thread());
    devSame = (now & 0x3f) == field(side.sync, IGUARD_SYNC_DEVFENCE_SHIFT, IGUARD_SYNC_DEVFENCE_BITS);
    blkSame = (now >> IGUARD_COUNT_BLKFENCE_SHIFT & 0x3f) == field(side.sync, IGUARD_SYNC_BLKFENCE_SHIFT, IGUARD_SYNC_BLKFENCE_BITS);
  }
};

// -----------------------------------------------------------------------------
// Race records (6.4).

// report counts a race in the record of its site pair, or in State.dropped when
// the table is full around its place.
static __device__ __noinline__ void report(uint32_t rule, uint64_t firstId, uint64_t firstSync, uint64_t secondId, uint64_t secondSync, uint64_t addr, uint32_t size) {
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
      Who who;
      Fences since(s, who, first);
      uint32_t threads = who.threadsPerBlock();
      uint32_t now = *at<Word32>(s.counters, (uint64_t)first.block() * threads + first.thread());
      uint32_t blkbar = (now >> IGUARD_COUNT_BLKBAR_SHIFT) + *at<Word32>(s.blockbars, first.block()) & 0xff;
      race->address = addr;
      race->first_sync = first.sync;
      race->second_sync = second.sync;
      race->first_block = first.block();
      race->second_block = second.block();
      race->detail = (since.blkSame ? 0 : IGUARD_DETAIL_BLKFENCE_CHANGED) |
                     (blkbar == syncBlkBar(first.sync) ? 0 : IGUARD_DETAIL_BLKBAR_CHANGED);
      race->size = size;
    }
    atomicAdd(&race->count, 1u);
    return;
  }
  atomicAdd(&s.dropped, 1u);
}

// -----------------------------------------------------------------------------
// Race detection (6.4, Table 2).

// Entry is one granule's metadata, taken into registers while its lock is held.
struct Entry {
  Word64 *words;
  Side accessor;
  uint64_t flags;

  METHOD Side side(int word) const { return {words[word], words[word + 1]}; }
  METHOD void put(int word, const Side &s) const {
    words[word] = s.id;
    words[word + 1] = s.sync;
  }
  METHOD bool valid(uint64_t tag) const {
    return flags & bit(IGUARD_FLAG_VALID_BIT) && field(accessor.sync, IGUARD_SYNC_TAG_SHIFT, IGUARD_SYNC_TAG_BITS) == tag;
  }
  METHOD bool modified() const { return flags & bit(IGUARD_FLAG_MODIFIED_BIT); }
  METHOD bool blkShared() const { return flags & bit(IGUARD_FLAG_BLKSHARED_BIT); }
  METHOD bool devShared() const { return flags & bit(IGUARD_FLAG_DEVSHARED_BIT); }
};

// Access is the instruction being checked, in one lane.
struct Access {
  uint64_t addr;
  uint32_t info;
  unsigned mask; // lanes that execute it together
  METHOD bool atomic() const { return info >> IGUARD_INFO_ATOMIC_BIT & 1; }
  METHOD bool blockScope() const { return info >> IGUARD_INFO_BLOCKSCOPE_BIT & 1; }
  METHOD uint32_t size() const { return info & (1u << IGUARD_INFO_SIZE_BITS) - 1; }
};

// racing decides Table 2 for a valid entry: 0, or the number of the R condition
// that holds, with the other side of the pair.
//
// Two departures from the letter of the table, both of which only remove reports
// of a thread against itself. P3 and P4 let a load pass whatever the shared flags
// say: its md is the last writer, and program order or the warp barrier already
// orders that one. And when a store's md is ordered before it in this way while
// the flags say that others have accessed the location since, R3 asks about the
// last accessor of another warp (sharer) and not about the thread itself;
// otherwise x++ under a correct lock would race with itself.
template <bool store> INLINE uint32_t racing(const State &s, const Who &who, const Access &a, const Side &curr, const Entry &e, Side &other) {
  Side md = store ? e.accessor : e.side(IGUARD_WRITER);
  bool sameBlock = md.block() == curr.block();
  bool sameWarp = sameBlock && md.thread() / 32 == curr.thread() / 32;
  bool ordered = false; // md and the current access are ordered within the warp
  if (sameBlock) {
    ordered = md.thread() == curr.thread() ||
              sameWarp && (!(s.options & IGUARD_OPTION_ITS) || syncWarpBar(md.sync) != syncWarpBar(curr.sync) || a.mask >> (md.thread() & 31) & 1);
    if (ordered && (!store || !e.blkShared() && !e.devShared())) return 0;          // P3, P4
    if (!e.devShared() && syncBlkBar(md.sync) != syncBlkBar(curr.sync)) return 0; // P5
  }
  if (a.atomic() && syncAtomic(md.sync) && (sameBlock || !syncBlockScope(md.sync))) return 0; // P6

  other = md;
  if (syncAtomic(md.sync) && syncBlockScope(md.sync) && !sameBlock) return 1; // R1, text: md
  if (store && e.modified()) {
    Side writer = e.side(IGUARD_WRITER);
    if (syncAtomic(writer.sync) && syncBlockScope(writer.sync) && writer.block() != curr.block()) {
      other = writer;
      return 1; // R1, table: last writer
    }
  }
  if (ordered) other = e.side(IGUARD_SHARER);
  Fences since(s, who, other);
  bool unfenced = since.devSame && since.blkSame;
  if (sameWarp && unfenced && !e.blkShared() && !e.devShared()) return 2; // R2
  if (sameBlock && unfenced && !e.devShared()) return 3;                  // R3
  if (!sameBlock && since.devSame) return 4;                              // R4
  uint32_t held = syncLocks(md.sync), holds = syncLocks(curr.sync), common = held & holds;
  if (!sameBlock && (syncBlockLocks(md.sync) || syncBlockLocks(curr.sync))) common = 0; // excludes no other block
  if (s.options & IGUARD_OPTION_LOCKS && (held | holds) != 0 && noLocks(common)) return 5; // R5
  return 0;
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
  e.words[IGUARD_ACCESSOR + 1] = curr.sync | kind | tag << IGUARD_SYNC_TAG_SHIFT;
  return curr.id | flags;
}

// checkGranule checks and updates one granule under its entry's lock.
//
// Lanes of a warp may want the same entry, and one that waits must not keep the
// one that holds it from going on, neither in lock-step nor with independent
// threads: so a lane never spins on the lock alone. A round of the loop tries the
// lock, and the lanes that got it check and release before any lane tries again.
// The empty asm keeps the compiler from leaving the loop out of the middle of a
// round. A lane that found the entry locked waits, each time twice as long up to a
// limit that the host sets from the number of threads, or not at all when it sets
// none: the dynamic exponential back-off of 6.5.
template <bool store> INLINE bool checkGranule(const State &s, const Who &who, const Access &a, const Side &curr, uint64_t granule, bool quiet) {
  uint64_t addr = granule << s.granule_shift;
  uint64_t index = (addr >> s.slot_shift) * s.slot_stride + ((addr & s.offset_mask) >> s.granule_shift);
  Word64 *words = at<Word64>(s.entries, (index & s.index_mask) * (IGUARD_ENTRY_BYTES / 8));
  uint64_t tag = index >> s.index_bits & (bit(IGUARD_SYNC_TAG_BITS) - 1);
  const uint64_t busy = bit(IGUARD_FLAG_BUSY_BIT);
  uint32_t rule = 0;
  unsigned pending = 1;
  uint32_t wait = IGUARD_BACKOFF_NS;
  while (pending) {
    uint64_t head = words[0];
    if (!(head & busy) && atomicCAS((unsigned long long *)words, head, head | busy) == head) {
      __threadfence();
      Entry e = {words, {head, words[1]}, head & (0xffull << IGUARD_FLAG_VALID_BIT)};
      bool valid = e.valid(tag); // P1
      if (valid && (store || e.modified())) { // P2
        Side other;
        rule = racing<store>(s, who, a, curr, e, other);
        if (rule != 0 && !quiet) report(rule, other.id, other.sync, curr.id, curr.sync, addr > a.addr ? addr : a.addr, a.size());
      }
      uint64_t next = update<store>(a, curr, e, valid, tag);
      __threadfence();
      words[0] = next;
      pending = 0;
    }
    asm volatile("" : "+r"(pending));
    if (pending && s.backoff_limit != 0) {
      __nvvm_nanosleep(wait);
      if (wait < s.backoff_limit) wait *= 2;
    }
  }
  return rule != 0;
}

// check handles one access of the calling lanes.
template <bool store> INLINE void check(uint64_t addr, uint32_t info, uint32_t site) {
  unsigned mask = __activemask();
  const State s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Access a = {addr, info, mask};
  bool global = __isGlobal((void *)addr);
  if (store && global && s.options & IGUARD_OPTION_LOCKS) {
    if (info >> IGUARD_INFO_CAS_BIT & 1) lockCAS(addr, a.blockScope(), mask);
    if (info >> IGUARD_INFO_EXCH_BIT & 1) lockExch(addr, a.blockScope());
  }
  // Loads and atomics of one location by lanes that execute together cannot race
  // with each other: one lane checks for all (6.5).
  if (!store || a.atomic()) {
    int same;
    __nvvm_match_all_sync_i64p(mask, addr, &same);
    if (same && !leader(mask)) return;
  }
  if (!global) return;
  Who who;
  Side curr = {who.block | (uint64_t)(site & (1u << IGUARD_ID_SITE_BITS) - 1) << IGUARD_ID_SITE_SHIFT, syncWord(s, who)};
  uint64_t last = (addr + a.size() - 1) >> s.granule_shift;
  bool reported = false;
  for (uint64_t granule = addr >> s.granule_shift; granule <= last; granule++)
    reported |= checkGranule<store>(s, who, a, curr, granule, reported);
}

// -----------------------------------------------------------------------------
// Hooks.

// Before a load: info says how many bytes, and for a load that is atomic in the
// PTX sense (relaxed, acquire) its scope.
HOOK __ptxsan_iguard_load(uint64_t addr, uint32_t info, uint32_t site) { check<false>(addr, info, site); }

// Before a store or a read-modify-write operation; the latter are stores to Table 2.
HOOK __ptxsan_iguard_store(uint64_t addr, uint32_t info, uint32_t site) { check<true>(addr, info, site); }

// Before a fence, a releasing operation and a barrier.cluster.arrive; after an
// acquiring operation (Figure 5b).
HOOK __ptxsan_iguard_fence(uint32_t scope) {
  const State &s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Who who;
  countUp(s, who, scope == IGUARD_FENCE_DEVICE ? IGUARD_COUNT_DEVFENCE_SHIFT : IGUARD_COUNT_BLKFENCE_SHIFT);
  if (s.options & IGUARD_OPTION_LOCKS) lockFence(scope == IGUARD_FENCE_DEVICE);
}

// Before a barrier of the whole block (Figure 5a). Each thread counts the barriers
// it arrives at. All threads of the block arrive at the same ones, so between two
// barriers all counts are equal, no thread sees another's arrival, and no thread
// has to be elected (it might have exited).
HOOK __ptxsan_iguard_block_barrier() {
  const State &s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Who who;
  countUp(s, who, IGUARD_COUNT_BLKBAR_SHIFT);
}

// Before a barrier of some of the block's threads: the barrier itself, so that all
// of them have arrived; then each raises the block's count above what it saw when
// it arrived; then the program's own barrier, which none leaves before all have
// raised the count.
HOOK __ptxsan_iguard_partial_barrier(uint32_t id, uint32_t threads) {
  const State &s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Who who;
  if (threads >= who.threadsPerBlock()) return countUp(s, who, IGUARD_COUNT_BLKBAR_SHIFT);
  uint32_t seen = *at<Word32>(s.blockbars, who.block);
  asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
  atomicMax((unsigned *)s.blockbars + who.block, seen + 1);
}

// Before any barrier of some of the block's threads in a module with bar.arrive,
// where a second arrival would be counted twice: each thread raises the block's
// count before it arrives. Accesses of threads that arrive later may then appear
// to follow the barrier: races are missed, none is invented.
HOOK __ptxsan_iguard_arrival() {
  const State &s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Who who;
  atomicMax((unsigned *)s.blockbars + who.block, *at<Word32>(s.blockbars, who.block) + 1);
}

// Before bar.warp.sync (6.2): as for blocks, a barrier of the whole warp is counted
// by each thread, one of some lanes by the warp.
HOOK __ptxsan_iguard_warp_barrier(uint32_t lanes) {
  const State &s = __ptxsan_iguard_state;
  if (s.entries == 0) return;
  Who who;
  if (lanes == ~0u) return countUp(s, who, IGUARD_COUNT_WARPBAR_SHIFT);
  uint32_t seen = *at<Word32>(s.warpbars, who.gwarp);
  __syncwarp(lanes);
  atomicMax((unsigned *)s.warpbars + who.gwarp, seen + 1);
}
