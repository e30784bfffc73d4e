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
INLINE void split(uint64_t word, uint32_t &low, uint32_t &high) { asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(word)); }
INLINE uint32_t low(uint64_t word) {
  uint32_t l, h;
  split(word, l, h);
  return l;
}
INLINE uint32_t high(uint64_t word) {
  uint32_t l, h;
  split(word, l, h);
  return h;
}
INLINE uint64_t join(uint32_t low, uint32_t high) {
  uint64_t word;
  asm("mov.b64 %0, {%1, %2};" : "=l"(word) : "r"(low), "r"(high));
  return word;
}
INLINE uint32_t field(uint32_t word, unsigned shift, unsigned bits) { return word >> shift & ((1u << bits) - 1); }

// has reports whether a word has a bit. Of a test of a bit the compiler would often make a
// shift, a mask and a test.
template <uint32_t bit> INLINE bool has(uint32_t word) {
  uint32_t rest;
  asm("and.b32 %0, %1, %2;" : "=r"(rest) : "r"(word), "n"(bit));
  return rest != 0;
}

// lop3 is a function of three words bit by bit, in one instruction where the compiler makes two: the
// same function of the constants LOP_A, LOP_B and LOP_C.
enum : uint32_t { LOP_A = 0xf0, LOP_B = 0xcc, LOP_C = 0xaa };
template <uint32_t function> INLINE uint32_t lop3(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t result;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "rn"(b), "rn"(c), "n"(function));
  return result;
}

// at is an element of an array; scaled is base + index * size, in one instruction.
INLINE uint64_t scaled(uint64_t base, uint32_t index, uint32_t size) {
  uint64_t sum;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(sum) : "r"(index), "r"(size), "l"(base));
  return sum;
}
template <uint32_t size> INLINE uint64_t scaled(uint64_t base, uint32_t index) {
  uint64_t sum;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(sum) : "r"(index), "n"(size), "l"(base));
  return sum;
}
template <typename T> INLINE T *at(uint64_t base, uint32_t index) { return (T *)scaled<sizeof(T)>(base, index); }

// -----------------------------------------------------------------------------
// Who executes.

// The linear index of the calling thread's block in the grid, and its own in the block.
INLINE uint32_t blockNumber() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
INLINE uint32_t threadNumber() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

struct Who {
  uint32_t block, thread;

  METHOD Who() : block(blockNumber()), thread(threadNumber()) {}
  METHOD Who(uint32_t b, uint32_t t) : block(b), thread(t) {}
};

// threadIndex and warpIndex are the places of a thread and of its warp in the arrays
// of all threads and of all warps. The host sees to it that there are less than 2^32.
INLINE uint32_t threadIndex(const State &s, uint32_t block, uint32_t thread) { return block * s.block_threads + thread; }
INLINE uint32_t warpIndex(const State &s, uint32_t block, uint32_t thread) { return block * s.block_warps + thread / 32; }

// leader reports whether the calling lane is the first of a set of lanes.
INLINE bool leader(unsigned mask) { return (mask & __nvvm_read_ptx_sreg_lanemask_lt()) == 0; }

// uses are the parts of the synchronisation metadata, IGUARD_USES_*, that this launch
// has written to. The others need not be read.
INLINE uint32_t uses() { return *(Word32 *)&__ptxsan_iguard_state.uses; }

template <uint32_t what> INLINE void use(uint32_t used = uses()) {
  if (!has<what>(used)) atomicOr(&__ptxsan_iguard_state.uses, what);
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

INLINE uint32_t tableEntry(uint64_t table, int i) { return field((uint32_t)(table >> i * IGUARD_LOCK_ENTRY_BITS), 0, IGUARD_LOCK_ENTRY_BITS); }
INLINE bool sameLock(uint32_t a, uint32_t b) { return ((a ^ b) & ~(1u << IGUARD_LOCK_ACTIVE_BIT)) == 0; }

// inEach is a bit of each entry of a table.
INLINE uint64_t inEach(unsigned n) { return (1 + bit(IGUARD_LOCK_ENTRY_BITS) + bit(2 * IGUARD_LOCK_ENTRY_BITS)) << n; }

// heldBy is the summary of a table's active entries, as it enters the high half of a sync
// word: a 16-bit Bloom filter of two ways of eight bits, one bit of each way per lock, and
// whether there are locks, all of block scope.
INLINE uint32_t heldBy(uint64_t table) {
  uint32_t filter = 0, device = 0;
  if ((table & inEach(IGUARD_LOCK_ACTIVE_BIT)) == 0) return 0;
  for (int i = 0; i < IGUARD_LOCK_ENTRIES; i++) {
    if ((table & bit(i * IGUARD_LOCK_ENTRY_BITS + IGUARD_LOCK_ACTIVE_BIT)) == 0) continue;
    uint32_t have = tableEntry(table, i);
    filter |= 1u << (have & 7) | 0x100u << (have >> 3 & 7);
    device |= ~have >> IGUARD_LOCK_BLOCKSCOPE_BIT & 1;
  }
  return filter << (IGUARD_SYNC_LOCKS_SHIFT - 32) | (device ^ 1) << (IGUARD_SYNC_BLOCKLOCKS_BIT - 32);
}

// LockTable is where a lock table is, with the summary of its active entries, which checks
// read: in the warp's, whether the threads have tables of their own is in it, too.
struct LockTable {
  Word64 *place;
  METHOD explicit LockTable(Word64 *p) : place(p) {}
  METHOD explicit LockTable(uint64_t address) : place((Word64 *)address) {}
  METHOD LockTable(uint64_t tables, uint32_t index) : place((Word64 *)scaled<IGUARD_LOCK_BYTES>(tables, index)) {}
  METHOD Word64 &table() const { return *place; }
  METHOD Word32 &held() const { return *(Word32 *)(place + 1); }
};
INLINE LockTable warpTable(const State &s, const Who &who) { return LockTable(s.warplocks, warpIndex(s, who.block, who.thread)); }
INLINE LockTable threadTable(const State &s, const Who &who) { return LockTable(s.threadlocks, threadIndex(s, who.block, who.thread)); }

// summarise writes the summaries of a thread's table, which is own, and of its warp's anew. Threads
// of the warp may change the latter together: who writes last has seen all changes.
INLINE void summarise(const LockTable &thread, uint64_t own, const LockTable &warp) {
  uint64_t seen;
  uint32_t held = heldBy(own);
  thread.held() = held;
  do {
    seen = warp.table();
    warp.held() = seen == own ? held : heldBy(seen) | high(seen) & 1u << (IGUARD_LOCK_ISTHREAD_BIT - 32);
  } while (warp.table() != seen);
}

// entered is a table with a lock added, unless it is there. The oldest entry gives way in
// a full one. Mostly there is no lock in it, or that one.
INLINE uint64_t entered(uint64_t table, uint32_t entry) {
  uint32_t oldest = tableEntry(table, 0);
  if (table == 0) return entry;
  if (sameLock(oldest, entry)) return table;
  uint32_t middle = tableEntry(table, 1), newest = tableEntry(table, 2);
  bool full = (oldest != 0) & (middle != 0) & (newest != 0);
  uint64_t room = full ? table >> IGUARD_LOCK_ENTRY_BITS & (bit(2 * IGUARD_LOCK_ENTRY_BITS) - 1) : table;
  uint32_t place = oldest == 0 ? 0 : middle == 0 ? IGUARD_LOCK_ENTRY_BITS : 2 * IGUARD_LOCK_ENTRY_BITS;
  bool there = sameLock(middle, entry) | sameLock(newest, entry);
  return there ? table : room | (uint64_t)entry << place;
}

// left is the bits of a table that a lock takes, which is in it at most once.
INLINE uint64_t left(uint64_t table, uint32_t entry) {
  const uint64_t all = bit(IGUARD_LOCK_ENTRY_BITS) - 1;
  if (sameLock(tableEntry(table, 0), entry)) return all;
  uint64_t gone = 0;
  for (int i = 1; i < IGUARD_LOCK_ENTRIES; i++)
    gone |= sameLock(tableEntry(table, i), entry) ? all << i * IGUARD_LOCK_ENTRY_BITS : 0;
  return gone;
}

// activated is the bits of a table that mark its locks as held: those entered at the
// fence's scope or a narrower one.
INLINE uint64_t activated(uint64_t table, bool device) {
  static_assert(IGUARD_LOCK_BLOCKSCOPE_BIT + 1 == IGUARD_LOCK_ACTIVE_BIT && IGUARD_LOCK_ACTIVE_BIT + 1 == IGUARD_LOCK_VALID_BIT);
  uint64_t covered = device ? ~0ull : table << 1;
  return table >> 1 & covered & inEach(IGUARD_LOCK_ACTIVE_BIT);
}

// rearrange is summarise where that is seldom called.
static __device__ __noinline__ void rearrange(Word64 *thread, Word64 *warp) {
  summarise(LockTable(thread), *thread, LockTable(warp));
}

// lockCAS enters the lock that an atomicCAS may be taking. Several lanes at one
// atomicCAS switch their warp to per-thread tables for the rest of the launch: until then the
// table in force is the warp's, then the thread's own. Both are kept up to date all the time,
// so that a lock held at the switch is not forgotten. It reports whether the thread has
// entered the lock before, and not removed it: then it waits for the lock.
INLINE bool lockCAS(const State &s, const Who &who, const LockTable &warp, uint64_t addr, bool blockScope, unsigned mask, uint32_t used) {
  use<IGUARD_USES_LOCKS>(used);
  const uint64_t isThread = bit(IGUARD_LOCK_ISTHREAD_BIT);
  uint32_t entry = lockEntry(addr, blockScope);
  LockTable thread = threadTable(s, who);
  uint64_t own = thread.table(), shared = warp.table();
  uint64_t ours = entered(own, entry), theirs = shared;
  bool several = (mask & mask - 1) != 0;
  if (!(shared & isThread)) theirs = several ? isThread : shared == own ? ours : entered(shared, entry);
  if (ours != own) thread.table() = ours;
  if (theirs != shared) warp.table() = theirs;
  // Entries are not active when they are new; but others may have given way to them.
  uint64_t before = (own | shared) & inEach(IGUARD_LOCK_ACTIVE_BIT);
  if (__builtin_expect((ours != own | theirs != shared) & before != 0 | (theirs & ~shared & isThread) != 0, 0)) rearrange(thread.place, warp.place);
  return ours == own;
}

// lockExch removes the lock that an atomicExch releases.
INLINE void lockExch(const State &s, const Who &who, const LockTable &warp, uint64_t addr, bool blockScope) {
  uint32_t entry = lockEntry(addr, blockScope);
  LockTable thread = threadTable(s, who);
  uint64_t own = thread.table(), shared = warp.table();
  uint64_t gone = left(own, entry), goneToo = shared == own ? gone : left(shared, entry);
  if ((gone | goneToo) == 0) return;
  if (gone != 0) thread.table() = own & ~gone;
  if (goneToo != 0) __nvvm_atom_and_gen_ll((long long *)warp.place, ~goneToo);
  summarise(thread, own & ~gone, warp);
}

// lockFence activates the locks that a fence completes the acquisition of.
INLINE void lockFence(const State &s, const Who &who, const LockTable &warp, bool device) {
  LockTable thread = threadTable(s, who);
  uint64_t own = thread.table(), shared = warp.table();
  uint64_t active = activated(own, device) & ~own, activeToo = active;
  if (shared != own) activeToo = activated(shared, device) & ~shared;
  if ((active | activeToo) == 0) return;
  if (active != 0) thread.table() = own | active;
  if (activeToo != 0) __nvvm_atom_or_gen_ll((long long *)warp.place, activeToo);
  summarise(thread, own | active, warp);
}

// locksHeld is the locks that the thread holds, as they lie in the high half of a sync word.
INLINE uint32_t locksHeld(const State &s, const Who &who, const LockTable &warp) {
  uint32_t held = warp.held();
  if ((int32_t)held < 0) held = threadTable(s, who).held();
  return held;
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
  bool upper = shift >= 32;
  uint32_t mask = (1u << bits) - 1 << shift % 32 & ((const uint32_t *)&s.counter_bits)[upper], l, h;
  split(word, l, h);
  uint32_t half = upper ? h : l;
  half ^= lop3<(LOP_A ^ LOP_B) & LOP_C>(half + (n << shift % 32), half, mask);
  return upper ? join(l, half) : join(half, h);
}

// counters is where a thread's own counters are, as they lie in a sync word.
INLINE Word64 *counters(const State &s, uint32_t block, uint32_t thread) {
  return at<Word64>(scaled(s.counters, block, s.block_bytes), thread);
}

// countUp increments one of the counters in the calling thread's sync word, which it returns.
// mine is where the thread's own counters are.
INLINE uint64_t countUp(const State &s, uint64_t mine, uint64_t own, unsigned shift, unsigned bits) {
  uint64_t counted = increased(s, own, shift, bits, 1);
  *(Word64 *)mine = counted;
  return counted;
}

// ownSync is the part of the calling thread's sync word that only it changes, and only in
// hooks that count. Functions keep it in a register.
INLINE uint64_t ownSync(const State &s, const Who &who) { return *counters(s, who.block, who.thread) | who.thread; }

// barriers adds to a sync word what the thread shares with others of the barriers of some
// of the block's threads or of the warp's lanes.
INLINE uint64_t barriers(const State &s, const Who &who, uint64_t word, uint32_t uses) {
  if (!(uses & IGUARD_USES_BARRIERS)) return word;
  word = increased(s, word, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS, *at<Word32>(s.blockbars, who.block));
  return increased(s, word, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS, *at<Word32>(s.warpbars, warpIndex(s, who.block, who.thread)));
}

// syncWord is the synchronisation status of the calling thread, as it enters the
// metadata: what it has counted itself, the barriers that it shares with others, and the
// locks that it holds.
INLINE uint64_t syncWord(const State &s, const Who &who) {
  uint32_t used = uses();
  uint64_t word = barriers(s, who, ownSync(s, who), used);
  return has<IGUARD_USES_LOCKS>(used) ? word | join(0, locksHeld(s, who, warpTable(s, who))) : word;
}

// Fields of a sync word, or of the half of it that they are in.
INLINE uint32_t syncThread(uint32_t half) { return field(half, IGUARD_SYNC_THREAD_SHIFT, IGUARD_SYNC_THREAD_BITS); }
INLINE uint32_t syncBlkBar(uint32_t half) { return field(half, IGUARD_SYNC_BLKBAR_SHIFT, IGUARD_SYNC_BLKBAR_BITS); }
INLINE uint32_t syncWarpBar(uint32_t half) { return field(half, IGUARD_SYNC_WARPBAR_SHIFT, IGUARD_SYNC_WARPBAR_BITS); }
INLINE uint32_t syncDevFence(uint32_t half) { return field(half, IGUARD_SYNC_DEVFENCE_SHIFT, IGUARD_SYNC_DEVFENCE_BITS); }
INLINE uint32_t syncBlkFence(uint32_t half) { return field(half, IGUARD_SYNC_BLKFENCE_SHIFT - 32, IGUARD_SYNC_BLKFENCE_BITS); }
INLINE uint32_t syncLocks(uint32_t half) { return field(half, IGUARD_SYNC_LOCKS_SHIFT - 32, IGUARD_SYNC_LOCKS_BITS); }
INLINE bool syncBlockLocks(uint32_t half) { return half & 1u << (IGUARD_SYNC_BLOCKLOCKS_BIT - 32); }
INLINE bool syncAtomic(uint32_t half) { return half & 1u << IGUARD_SYNC_ATOMIC_BIT; }
INLINE bool syncBlockScope(uint32_t half) { return half & 1u << IGUARD_SYNC_BLOCKSCOPE_BIT; }
INLINE uint32_t syncThread(uint64_t w) { return syncThread(low(w)); }
INLINE uint32_t syncBlkBar(uint64_t w) { return syncBlkBar(low(w)); }
INLINE uint32_t syncWarpBar(uint64_t w) { return syncWarpBar(low(w)); }
INLINE uint32_t syncDevFence(uint64_t w) { return syncDevFence(low(w)); }
INLINE uint32_t syncBlkFence(uint64_t w) { return syncBlkFence(high(w)); }
INLINE uint32_t syncLocks(uint64_t w) { return syncLocks(high(w)); }
INLINE bool syncBlockLocks(uint64_t w) { return syncBlockLocks(high(w)); }
INLINE bool syncAtomic(uint64_t w) { return syncAtomic(low(w)); }
INLINE bool syncBlockScope(uint64_t w) { return syncBlockScope(low(w)); }

// Side is one access as the metadata remembers it.
struct Side {
  uint64_t id, sync;
  METHOD uint32_t block() const { return low(id); }
  METHOD uint32_t site() const { return field(high(id), IGUARD_ID_SITE_SHIFT - 32, IGUARD_ID_SITE_BITS); }
  METHOD uint32_t thread() const { return syncThread(sync); }
  METHOD bool sameWarp(const Side &o) const { return (block() == o.block()) & thread() / 32 == o.thread() / 32; }
};

// Cumulative fences, beyond the paper: a fence covers the accesses of other threads that
// a barrier before it has ordered with it, as in a barrier of the grid, where one thread
// of each block runs the fence.

// noteFence remembers the calling thread's fence for its warp and its block, with the
// number of barriers before it.
INLINE void noteFence(const State &s, const Who &who, uint64_t own, bool device, uint32_t used) {
  if (!has<IGUARD_OPTION_CUMULATIVE>(options(s))) return;
  uint32_t now = low(own);
  if (__builtin_expect(has<IGUARD_USES_BARRIERS>(used), 0)) now = low(barriers(s, who, own, used));
  Word32 *warp = at<Word32>(s.warpfences, warpIndex(s, who.block, who.thread) * IGUARD_WARPFENCES);
  uint32_t note = IGUARD_WARPFENCE_VALID | syncWarpBar(now);
  warp[1] = note;
  if (!device) return;
  warp[0] = note;
  *at<Word32>(s.blockfences, who.block) = IGUARD_BLOCKFENCE_VALID | syncBlkBar(now);
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
  if (!has<IGUARD_OPTION_CUMULATIVE>(options(s))) return false;
  Word32 *warp = at<Word32>(s.warpfences, warpIndex(s, side.block(), side.thread()) * IGUARD_WARPFENCES);
  if (follows(warp[device ? 0 : 1], IGUARD_WARPFENCE_VALID, syncWarpBar(s.counter_bits), syncWarpBar(side.sync))) return true;
  return device && follows(*at<Word32>(s.blockfences, side.block()), IGUARD_BLOCKFENCE_VALID, syncBlkBar(s.counter_bits), syncBlkBar(side.sync));
}

// Fences says which fences cover a side: its thread has executed none since the access,
// nor has another one whose fence covers it.
struct Fences {
  bool devSame, blkSame;
  METHOD Fences(const State &s, const Side &side) {
    uint64_t changed = *counters(s, side.block(), side.thread()) ^ side.sync;
    devSame = syncDevFence(changed) == 0 && !covered(s, side, true);
    blkSame = syncBlkFence(changed) == 0 && !covered(s, side, false);
  }
};
