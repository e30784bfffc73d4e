// Who executes, the locks that it holds and the synchronisation that it has seen:
// the synchronisation metadata of iGUARD (SOSP 2021, 6.1 to 6.3). For lib/iguard.cu.
#pragma once
#include "cuda_builtins.h"
#include "iguard_abi.h"

#define METHOD __device__ __forceinline__
#define INLINE static METHOD

// Words of device memory that several threads read and write: volatile, so that
// each access reaches memory, and named global, so that it needs no generic test.
typedef volatile __attribute__((address_space(1))) uint64_t Word64;
typedef volatile __attribute__((address_space(1))) uint32_t Word32;
typedef volatile __attribute__((address_space(1))) uint16_t Word16;
typedef volatile __attribute__((address_space(1))) uint8_t Word8;

extern __device__ State __ptxsan_iguard_state;

// options is State.options, IGUARD_OPTION_*, as a whole: tests of single bytes are not quick
// everywhere.
INLINE uint32_t options(const State &s) { return *(const volatile __attribute__((address_space(1))) uint32_t *)&s.options; }

INLINE uint64_t bit(unsigned n) { return 1ull << n; }

// Halves of words, which the compiler would rather take apart by shifts of 64 bits.
INLINE uint32_t low(uint64_t word) {
  uint32_t l;
  asm("cvt.u32.u64 %0, %1;" : "=r"(l) : "l"(word));
  return l;
}
INLINE void split(uint64_t word, uint32_t &low, uint32_t &high) { asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(word)); }
INLINE uint64_t join(uint32_t low, uint32_t high) {
  uint64_t word;
  asm("mov.b64 %0, {%1, %2};" : "=l"(word) : "r"(low), "r"(high));
  return word;
}
INLINE uint32_t field(uint64_t word, unsigned shift, unsigned bits) { return (uint32_t)(word >> shift) & ((1u << bits) - 1); }
template <typename T> INLINE T *at(uint64_t base, uint64_t index) { return (T *)base + index; }

// -----------------------------------------------------------------------------
// Who executes.

struct Who {
  uint32_t block;  // linear index in the grid
  uint32_t thread; // linear index in the block

  METHOD Who()
      : block(blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)),
        thread(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) {}
  METHOD Who(uint32_t b, uint32_t t) : block(b), thread(t) {}
};

// threadIndex and warpIndex are the places of a thread and of its warp in the arrays
// of all threads and of all warps.
INLINE uint64_t threadIndex(const State &s, uint32_t block, uint32_t thread) { return (uint64_t)block * s.block_threads + thread; }
INLINE uint64_t warpIndex(const State &s, uint32_t block, uint32_t thread) { return (uint64_t)block * s.block_warps + thread / 32; }

// leader reports whether the calling lane is the first of a set of lanes.
INLINE bool leader(unsigned mask) { return (mask & __nvvm_read_ptx_sreg_lanemask_lt()) == 0; }

// uses are the parts of the synchronisation metadata, IGUARD_USES_*, that this launch
// has written to. The others need not be read.
INLINE uint32_t uses() { return *(Word32 *)&__ptxsan_iguard_state.uses; }

INLINE void use(uint32_t what) {
  if (!(uses() & what)) atomicOr(&__ptxsan_iguard_state.uses, what);
}

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

INLINE Word64 *warpTable(const State &s, const Who &who) { return at<Word64>(s.warplocks, warpIndex(s, who.block, who.thread)); }
INLINE Word64 *threadTable(const State &s, const Who &who) { return at<Word64>(s.threadlocks, threadIndex(s, who.block, who.thread)); }

// lockTable is the table in force: the warp's, or the thread's own after the warp
// has switched to per-thread locks. Both are kept up to date all the time, so that
// a lock held at the switch is not forgotten.
INLINE uint64_t lockTable(const State &s, const Who &who) {
  uint64_t table = *warpTable(s, who);
  return table & bit(IGUARD_LOCK_ISTHREAD_BIT) ? *threadTable(s, who) : table;
}

// entered is a table with a lock added, unless it is there. The oldest entry gives way in
// a full one.
INLINE uint64_t entered(uint64_t table, uint32_t entry) {
  uint32_t oldest = tableEntry(table, 0), middle = tableEntry(table, 1), newest = tableEntry(table, 2);
  bool full = (oldest != 0) & (middle != 0) & (newest != 0);
  uint64_t room = full ? table >> IGUARD_LOCK_ENTRY_BITS & (bit(2 * IGUARD_LOCK_ENTRY_BITS) - 1) : table;
  uint32_t place = oldest == 0 ? 0 : middle == 0 ? IGUARD_LOCK_ENTRY_BITS : 2 * IGUARD_LOCK_ENTRY_BITS;
  bool there = sameLock(oldest, entry) | sameLock(middle, entry) | sameLock(newest, entry);
  return there ? table : room | (uint64_t)entry << place;
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

// change writes a table, unless it is so already.
INLINE void change(Word64 *place, uint64_t from, uint64_t to) {
  if (from != to) *place = to;
}

// lockCAS enters the lock that an atomicCAS may be taking. Several lanes at one
// atomicCAS switch their warp to per-thread tables for the rest of the launch. It reports
// whether the thread has entered the lock before, and not removed it: then it waits for the lock.
INLINE bool lockCAS(const State &s, const Who &who, uint64_t addr, bool blockScope, unsigned mask) {
  use(IGUARD_USES_LOCKS);
  uint32_t entry = lockEntry(addr, blockScope);
  Word64 *thread = threadTable(s, who), *warp = warpTable(s, who);
  uint64_t own = *thread, shared = *warp;
  uint64_t ours = entered(own, entry);
  change(thread, own, ours);
  bool several = (mask & mask - 1) != 0;
  if (!(shared & bit(IGUARD_LOCK_ISTHREAD_BIT))) change(warp, shared, several ? bit(IGUARD_LOCK_ISTHREAD_BIT) : entered(shared, entry));
  return ours == own;
}

// lockExch removes the lock that an atomicExch releases.
INLINE void lockExch(const State &s, const Who &who, uint64_t addr, bool blockScope) {
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

// activeLocks is the summary of a table's active entries, as it enters the sync word:
// a 16-bit Bloom filter of two ways of eight bits, one bit of each way per lock, and
// whether there are locks, all of block scope.
static __device__ __noinline__ uint64_t activeLocks(uint64_t table) {
  uint32_t filter = 0, device = 0;
  for (int i = 0; i < IGUARD_LOCK_ENTRIES; i++) {
    uint32_t have = tableEntry(table, i);
    if (!(have >> IGUARD_LOCK_ACTIVE_BIT & 1)) continue;
    filter |= 1u << (have & 7) | 0x100u << (have >> 3 & 7);
    device |= ~have >> IGUARD_LOCK_BLOCKSCOPE_BIT & 1;
  }
  return (uint64_t)filter << IGUARD_SYNC_LOCKS_SHIFT | (uint64_t)(filter != 0 && !device) << IGUARD_SYNC_BLOCKLOCKS_BIT;
}

// locksHeld is that of a table that mostly has no active entry.
INLINE uint64_t locksHeld(uint64_t table) {
  const uint64_t active = (1 + bit(IGUARD_LOCK_ENTRY_BITS) + bit(2 * IGUARD_LOCK_ENTRY_BITS)) << IGUARD_LOCK_ACTIVE_BIT;
  return __builtin_expect((table & active) != 0, 0) ? activeLocks(table) : 0;
}

// noLocks reports whether a filter stands for no lock: a lock leaves a bit in both
// ways, so an empty way is an empty set.
INLINE bool noLocks(uint32_t filter) { return (filter & 0xff) == 0 || (filter & 0xff00) == 0; }

// -----------------------------------------------------------------------------
// Synchronisation metadata (6.1, 6.2).

// syncField is a mask of a counter in a sync word.
INLINE uint64_t syncField(unsigned shift, unsigned bits) { return (bit(bits) - 1) << shift; }

// increased is a sync word with a counter raised by n, which wraps around at the width
// that the host has set, the field's or less.
INLINE uint64_t increased(const State &s, uint64_t word, unsigned shift, unsigned bits, uint32_t n) {
  uint64_t mask = syncField(shift, bits) & s.counter_bits;
  return word & ~mask | word + ((uint64_t)n << shift) & mask;
}

// counters is where a thread's own counters are, as they lie in a sync word.
INLINE Word64 *counters(const State &s, uint32_t block, uint32_t thread) {
  return (Word64 *)(s.counters + (uint64_t)block * s.block_bytes + (uint64_t)thread * sizeof(uint64_t));
}

// countUp increments one of the calling thread's counters. It returns the thread's sync word,
// as ownSync does.
INLINE uint64_t countUp(const State &s, const Who &who, unsigned shift, unsigned bits) {
  Word64 *word = counters(s, who.block, who.thread);
  uint64_t counted = increased(s, *word, shift, bits, 1);
  *word = counted;
  return counted | who.thread;
}

// ownSync is the part of the calling thread's sync word that only it changes, and only in
// hooks that count. Functions keep it in a register.
INLINE uint64_t ownSync(const State &s, const Who &who) { return *counters(s, who.block, who.thread) | who.thread; }

// shares adds to a sync word what the thread shares with others: the barriers of some
// of the block's threads or of the warp's lanes, and the locks that it holds.
INLINE uint64_t shares(const State &s, const Who &who, uint64_t word, uint32_t uses) {
  if (uses & IGUARD_USES_BARRIERS) {
    word = increased(s, word, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS, *at<Word32>(s.blockbars, who.block));
    word = increased(s, word, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS, *at<Word32>(s.warpbars, warpIndex(s, who.block, who.thread)));
  }
  return uses & IGUARD_USES_LOCKS ? word | locksHeld(lockTable(s, who)) : word;
}

// syncWord is the synchronisation status of the calling thread, as it enters the
// metadata.
INLINE uint64_t syncWord(const State &s, const Who &who) {
  return shares(s, who, ownSync(s, who), uses());
}

INLINE uint32_t syncThread(uint64_t w) { return field(w, IGUARD_SYNC_THREAD_SHIFT, IGUARD_SYNC_THREAD_BITS); }
INLINE uint32_t syncBlkBar(uint64_t w) { return field(w, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS); }
INLINE uint32_t syncWarpBar(uint64_t w) { return field(w, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS); }
INLINE uint32_t syncLocks(uint64_t w) { return field(w, IGUARD_SYNC_LOCKS_SHIFT, IGUARD_SYNC_LOCKS_BITS); }
INLINE bool syncBlockLocks(uint64_t w) { return w & bit(IGUARD_SYNC_BLOCKLOCKS_BIT); }
INLINE bool syncAtomic(uint64_t w) { return w & bit(IGUARD_SYNC_ATOMIC_BIT); }
INLINE bool syncBlockScope(uint64_t w) { return w & bit(IGUARD_SYNC_BLOCKSCOPE_BIT); }

// Side is one access as the metadata remembers it.
struct Side {
  uint64_t id, sync;
  METHOD uint32_t block() const { return (uint32_t)id; }
  METHOD uint32_t site() const { return field(id, IGUARD_ID_SITE_SHIFT, IGUARD_ID_SITE_BITS); }
  METHOD uint32_t thread() const { return syncThread(sync); }
  METHOD bool sameWarp(const Side &o) const { return block() == o.block() && thread() / 32 == o.thread() / 32; }
};

// Cumulative fences, beyond the paper: a fence covers the accesses of other threads that
// a barrier before it has ordered with it, as in a barrier of the grid, where one thread
// of each block runs the fence.

// noteFence remembers the calling thread's fence for its warp and its block, with the
// number of barriers before it.
INLINE void noteFence(const State &s, const Who &who, bool device) {
  if (!(options(s) & IGUARD_OPTION_CUMULATIVE)) return;
  uint64_t word = syncWord(s, who);
  Word8 *warp = at<Word8>(s.warpfences, warpIndex(s, who.block, who.thread) * IGUARD_WARPFENCE_BYTES);
  uint8_t note = IGUARD_WARPFENCE_VALID | syncWarpBar(word);
  warp[1] = note;
  if (!device) return;
  warp[0] = note;
  *at<Word16>(s.blockfences, who.block) = IGUARD_BLOCKFENCE_VALID | syncBlkBar(word);
}

// follows reports whether a fence noted with a number of barriers comes after more
// barriers than an access did. Numbers wrap around, the greatest being max: half of
// them are more.
INLINE bool follows(uint32_t note, uint32_t valid, uint32_t max, uint32_t access) {
  uint32_t more = note - access & max;
  return note & valid && more != 0 && more <= max / 2;
}

// covered reports whether the fence of another thread covers a side: one of its warp
// after a warp barrier, or of its block, with device scope, after a block barrier.
INLINE bool covered(const State &s, const Side &side, bool device) {
  if (!(options(s) & IGUARD_OPTION_CUMULATIVE)) return false;
  Word8 *warp = at<Word8>(s.warpfences, warpIndex(s, side.block(), side.thread()) * IGUARD_WARPFENCE_BYTES);
  if (follows(warp[device ? 0 : 1], IGUARD_WARPFENCE_VALID, syncWarpBar(s.counter_bits), syncWarpBar(side.sync))) return true;
  return device && follows(*at<Word16>(s.blockfences, side.block()), IGUARD_BLOCKFENCE_VALID, syncBlkBar(s.counter_bits), syncBlkBar(side.sync));
}

// Fences says which fences cover a side: its thread has executed none since the access,
// nor has another one whose fence covers it.
struct Fences {
  bool devSame, blkSame;
  METHOD Fences(const State &s, const Side &side) {
    uint64_t changed = *counters(s, side.block(), side.thread()) ^ side.sync;
    devSame = (changed & syncField(IGUARD_SYNC_DEVFENCE_SHIFT, IGUARD_SYNC_DEVFENCE_BITS)) == 0 && !covered(s, side, true);
    blkSame = (changed & syncField(IGUARD_SYNC_BLKFENCE_SHIFT, IGUARD_SYNC_BLKFENCE_BITS)) == 0 && !covered(s, side, false);
  }
};

