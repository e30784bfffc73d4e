// The LDetector device library: race detection without access monitoring, after Li, Hu, Chen,
// Ding and Soyata, "LDetector: A Low Overhead Race Detector For GPU Programs", WoDet 2014.
// Section, table and figure numbers below are that paper's.
//
// The pass cuts a kernel into regions, the paper's synchronized blocks (Definition 1), and
// calls begin and end around each, in all threads of the block, those that have exited in the
// user's program included. A region that is checked is executed on the warps' own copies of
// shared memory, twice (4.1, 4.2), and more often to find which bytes of a read-write race
// were read. Data formats are in ldetector_abi.h, the operations on the copies in
// ldetector_region.h.
//
// Threads may come from different places and lanes one by one. So barriers are not the
// aligned ones, and what a decision rests on is read between two barriers from words that
// change in others only.
//
// generate.sh compiles this file to the committed ldetector.ptx.
#include "ldetector_region.h"

#define HOOK(result) extern "C" __device__ __attribute__((used)) result
#define FUNCTION static __device__ __noinline__

__device__ State __ptxsan_ldetector_state = {.version = LDETECTOR_ABI_VERSION};

extern __shared__ __align__(16) uint8_t __ptxsan_ldetector_dynamic_memory[];

// Block is what a block knows between its regions.
struct Block {
  Segment segment;
  uint32_t base;     // of segment.original in the shared window
  uint32_t usable;   // not 0: regions can be checked
  uint32_t large;    // not 0: they cannot, as the segment is too large
  uint32_t region;   // this one
  uint32_t checked;  // it is
  uint32_t end;      // where it ends
  uint32_t pass;     // 1, 2, and from 3 on for the search; WATCHING
  uint32_t conflict; // offset of the first byte that two warps have modified
  uint32_t second;   // the first warp whose outputs differ after the second pass
  uint32_t left;     // LDETECTOR_LEFT_*, in that warp
  uint32_t address;  // offset of the first byte of its copy that differs
  uint32_t thread;   // the first of its threads whose digests differ
  uint32_t low;      // merging the bytes below gives the outputs of the first pass
  uint32_t high;     // merging those below gives others
  uint32_t records;  // made by this execution of the region, with a place
  uint32_t index;    // of the block in the grid, linear
  uint32_t current;  // of the first Block of a block: which one is in use
  volatile uint32_t busy; // not 0: a child grid uses it
  uint32_t unused;
  uint64_t digests;  // Digest[threads]
  uint32_t watched[LDETECTOR_RACE_SITES]; // the first of them, by their indices
  uint32_t rows[LDETECTOR_LANES]; // of each warp's log; LDETECTOR_NONE: nothing is logged
};

// WATCHING is the pass of which the accesses that touch racing bytes are noted.
enum : uint32_t { WATCHING = 0 };

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
// The operations of ldetector_region.h on one segment, by all threads of the block; tests call
// them one by one.

#define OPERATION(result) extern "C" __device__ __noinline__ __attribute__((used)) result

OPERATION(void) __ptxsan_ldetector_copy_in(const Segment *s) { copyIn(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_diff(const Segment *s, uint32_t *conflict) { regionDiff(*s, Who(), conflict); }
OPERATION(void) __ptxsan_ldetector_region_union(const Segment *s) { regionUnion(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_combine(const Segment *s) { regionCombine(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_merge(const Segment *s, uint32_t limit) { regionMerge(*s, Who(), limit); }
OPERATION(uint32_t) __ptxsan_ldetector_compare_output(const Segment *s) { return compareOutput(*s, Who()); }
OPERATION(uint32_t) __ptxsan_ldetector_compare_merged(const Segment *s, uint32_t limit) { return compareMerged(*s, Who(), limit); }
OPERATION(void) __ptxsan_ldetector_region_commit(const Segment *s) { regionCommit(*s, Who()); }

// -----------------------------------------------------------------------------
// Barriers of the block.

INLINE void barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }
INLINE bool barrierAnd(bool p) {
  uint32_t all;
  asm volatile("{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %1, 0;\n\tbarrier.red.and.pred q, 0, p;\n\tselp.u32 %0, 1, 0, q;\n\t}" : "=r"(all) : "r"((uint32_t)p) : "memory");
  return all != 0;
}
INLINE bool barrierOr(bool p) { return !barrierAnd(!p); }

// -----------------------------------------------------------------------------
// Race records.

// record counts a race in the record of its like, or makes one.
FUNCTION void record(Block *b, uint32_t kind, uint32_t first, uint32_t second, uint32_t offset, uint32_t bytes) {
  State &s = __ptxsan_ldetector_state;
  uint32_t address = bytes == 0 ? 0 : b->base + offset, words[] = {kind, b->region, address, bytes, first, second};
  unsigned long long key = 0;
  LOOP for (uint32_t w : words)
    key = (key ^ w) * 0x9e3779b97f4a7c15ull, key ^= key >> 29;
  key |= 1;
  if (s.options & LDETECTOR_OPTION_STOP) s.stopped = 1;
  if (s.regions) ((volatile uint32_t *)s.regions)[b->region] = 1;
  LOOP for (uint32_t probe = 0; probe < s.max_races; probe++) {
    uint32_t index = (key + probe) % s.max_races;
    Race *r = (Race *)s.races + index;
    unsigned long long was = atomicCAS((unsigned long long *)r->unused, 0ull, key);
    if (was != 0 && was != key) continue;
    if (was == 0) {
      atomicAdd(&s.found, 1u);
      bool read = kind == LDETECTOR_KIND_READ_WRITE;
      r->region = b->region, r->end = b->end, r->block = b->index;
      r->first = first, r->second = second, r->address = address, r->bytes = bytes;
      r->left = read ? b->left : 0, r->thread = read ? b->thread : LDETECTOR_NONE, r->passes = b->pass;
      __threadfence();
      *(volatile uint32_t *)&r->kind = kind;
      uint32_t n = bytes == 0 ? LDETECTOR_RACE_SITES : atomicAdd(&b->records, 1u);
      if (n < LDETECTOR_RACE_SITES) b->watched[n] = index;
    }
    atomicAdd(&r->count, 1u);
    return;
  }
  atomicAdd(&s.found, 1u);
}

// recordWrites records the conflicts of the first pass: the ranges of bytes with the same two
// warps, by the thread whose chunk a range begins in. Without LDETECTOR_OPTION_CONTINUE it is
// the lowest one.
FUNCTION void recordWrites(Block *b, bool all) {
  const Segment &s = b->segment;
  Who me;
  LOOP for (uint32_t i = me.thread, n = chunks(s); i < n; i += me.threads) {
    if (!all && i != b->conflict / CHUNK) continue;
    LOOP for (uint32_t k = all ? 0 : b->conflict % CHUNK; k < CHUNK;) {
      uint32_t offset = i * CHUNK + k;
      Pair p = pairAt(s, offset), before = pairAt(s, offset - 1);
      uint32_t length = p.second == LDETECTOR_NONE ? 1 : runOf(s, offset, p);
      if (p.second != LDETECTOR_NONE && !(p.first == before.first && p.second == before.second))
        record(b, LDETECTOR_KIND_WRITE_WRITE, p.first, p.second, offset, length);
      if (!all) return;
      k += length;
    }
  }
}

// recordRead records the race of the second pass by where its outcome is: the first bytes of
// the second warp's copy that differ from the union.
FUNCTION void recordRead(Block *b) {
  const Segment &s = b->segment;
  uint32_t end = b->address;
  if (end != LDETECTOR_NONE)
    LOOP while (end < s.end && ((uint8_t *)copyOf(s, b->second))[end] != ((uint8_t *)s.united)[end] && !(*bitsOf(s, end / CHUNK) >> end % CHUNK & 1))
      end++;
  record(b, LDETECTOR_KIND_READ_WRITE, LDETECTOR_NONE, b->second, b->address, end - b->address);
}

// recordFound records the race that the search has found: the bytes around the one at an
// offset, within four, that the same warp has modified.
FUNCTION void recordFound(Block *b, uint32_t offset) {
  const uint8_t *owners = (const uint8_t *)b->segment.owners;
  uint32_t first = offset, end = offset + 1, owner = owners[offset];
  LOOP while (first % 4 != 0 && owners[first - 1] == owner)
    first--;
  LOOP while (end % 4 != 0 && owners[end] == owner)
    end++;
  record(b, LDETECTOR_KIND_READ_WRITE, owner - 1, b->second, first, end - first);
}

// -----------------------------------------------------------------------------
// The log: what other memory held before the stores of a pass (4.2, Initialization).

INLINE LogRow *logOf(const State &s, uint32_t warp) { return (LogRow *)s.log + ((uint64_t)blockIndex() * s.warps + warp) * s.log_rows; }

INLINE uint64_t load(uint64_t address, uint32_t bytes) {
  switch (bytes) {
  case 1: return *(const uint8_t *)address;
  case 2: return *(const uint16_t *)address;
  case 4: return *(const uint32_t *)address;
  default: return *(const uint64_t *)address;
  }
}

INLINE void store(uint64_t address, uint32_t bytes, uint64_t value) {
  switch (bytes) {
  case 1: *(uint8_t *)address = value; break;
  case 2: *(uint16_t *)address = value; break;
  case 4: *(uint32_t *)address = value; break;
  default: *(uint64_t *)address = value;
  }
}

// Before a store of at most 16 bytes to global or local memory, in the lanes that store. The
// lanes that are here together take one row for every eight bytes.
HOOK(void) __ptxsan_ldetector_log(uint64_t address, uint32_t bytes) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks == 0) return;
  Who me;
  uint32_t *rows = &blockOf(s)->rows[me.warp];
  LOOP for (; bytes != 0; address += LDETECTOR_LOG_VALUE_BYTES) {
    if (*(volatile uint32_t *)rows > s.log_rows) return; // full, or nothing is logged
    uint32_t lanes = __activemask(), leader = __ffs(lanes) - 1, part = min(bytes, (unsigned)LDETECTOR_LOG_VALUE_BYTES), row = 0;
    if (me.lane == leader) row = atomicAdd(rows, 1u);
    row = __shfl_sync(lanes, (int)row, leader);
    if (row >= s.log_rows) return;
    LogRow *r = logOf(s, me.warp) + row;
    if (me.lane == leader) r->lanes = lanes, r->bytes = part;
    r->address[me.lane] = address;
    r->old[me.lane] = load(address, part);
    bytes -= part;
  }
}

// restore undoes the stores of a pass, the last one first; rows has the number of rows in the
// log of each warp.
OPERATION(void) __ptxsan_ldetector_restore(uint32_t *rows) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  me.meet();
  LOOP for (uint32_t row = rows[me.warp]; row-- > 0;) {
    const LogRow *r = logOf(s, me.warp) + row;
    if (r->lanes >> me.lane & 1) store(r->address[me.lane], r->bytes, r->old[me.lane]);
    me.meet();
  }
  if (me.lane == 0) rows[me.warp] = 0;
}

// overflown reports whether more has been stored in this pass than the log holds.
INLINE bool overflown(const State &s, const Block *b, const Who &me) { return barrierOr(b->rows[me.warp] > s.log_rows); }

// -----------------------------------------------------------------------------
// Regions.

// Once in each thread, before anything else: the arrays are bytes from lo on in the shared
// window.
HOOK(void) __ptxsan_ldetector_enter(uint32_t lo, uint32_t bytes) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  if (s.blocks == 0 || me.thread != 0) return;
  uint32_t base = lo / CHUNK * CHUNK;
  for (uint32_t slot = 0; slot < max(s.slots, 1u); slot++) {
    uint64_t memory = blockMemory(s) + (uint64_t)slot * s.slot_stride;
    uint64_t workspace = s.workspace_at != LDETECTOR_NONE ? memory + s.workspace_at : (uint64_t)__ptxsan_ldetector_dynamic_memory + s.shared_at;
    Block *b = (Block *)memory;
    b->segment = {
        .original = sharedWindow() + base,
        .copies = workspace + s.copies_at,
        .united = workspace + s.union_at,
        .bitmap = workspace + s.bitmap_at,
        .owners = s.owners_at != LDETECTOR_NONE ? workspace + s.owners_at : 0,
        .first = lo - base,
        .end = lo - base + bytes,
        .stride = s.segment_bytes,
        .warps = s.warps,
    };
    b->base = base;
    b->large = b->segment.end > s.segment_bytes;
    b->usable = !b->large && bytes != 0 && s.warps > 1;
    b->index = blockIndex();
    b->digests = memory + s.digests_at;
  }
}

// The size of the user's own dynamic shared memory.
HOOK(uint32_t) __ptxsan_ldetector_dynamic() {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks != 0) return s.dynamic_bytes;
  uint32_t bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  return bytes;
}

// done reports whether a race has been found in a region, and no more are looked for.
INLINE bool done(const State &s, uint32_t region) {
  return !(s.options & LDETECTOR_OPTION_CONTINUE) && s.regions && ((const volatile uint32_t *)s.regions)[region] != 0;
}

// freeSlot is the Block of the block that is in no use, beside one; LDETECTOR_NONE when there
// is none.
INLINE uint32_t freeSlot(const State &s, uint32_t beside) {
  for (uint32_t slot = 0; slot < s.slots; slot++)
    if (slot != beside && !((const Block *)(blockMemory(s) + (uint64_t)slot * s.slot_stride))->busy) return slot;
  return LDETECTOR_NONE;
}

// choose makes a Block that is in no use the one in use. There is one.
INLINE void choose(const State &s, const Who &me) {
  if (me.thread == 0) {
    Block *first = (Block *)blockMemory(s);
    first->current = freeSlot(s, LDETECTOR_NONE);
    Block *b = blockOf(s);
    b->segment.original = sharedWindow() + b->base;
  }
  barrier();
}

INLINE uint64_t *registersOf(const State &s, const Block *b, const Who &me) { return (uint64_t *)((uint64_t)b + s.registers_at + (uint64_t)me.thread * s.register_bytes); }

// The start of a region (4.1, Block Start). Returns what accesses to shared memory add to
// their addresses (Table 2): they go to the warp's copy when the region is checked, else to
// the user's arrays.
HOOK(uint64_t) __ptxsan_ldetector_begin(uint32_t region, uint32_t flags) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  Block *b = s.blocks == 0 ? nullptr : blockOf(s);
  bool idle = flags & LDETECTOR_BEGIN_IDLE;
  bool checkable = flags & LDETECTOR_BEGIN_CHECKED && !(b && done(s, region));
  bool checked = barrierAnd(idle || checkable) && b && b->usable;
  if (!b) return sharedWindow();
  if (s.slots > 1) {
    choose(s, me);
    b = blockOf(s);
    if (idle) *registersOf(s, b, me) = 0;
  }
  if (!idle) b->region = region;
  if (me.thread == 0) {
    b->checked = checked, b->pass = 1;
    b->conflict = b->second = b->address = b->thread = LDETECTOR_NONE;
    b->left = b->records = 0;
    atomicAdd(checked ? &s.checked : b->large ? &s.too_large : &s.skipped, 1u);
  }
  if (me.lane == 0) b->rows[me.warp] = checked ? 0 : LDETECTOR_NONE;
  if (checked) __ptxsan_ldetector_copy_in(&b->segment);
  me.meet();
  return checked ? (uint64_t)copyOf(b->segment, me.warp) - b->base : sharedWindow();
}

// leave is what end returns when a region is done with.
INLINE uint32_t leave(const State &s, bool exited) {
  if (s.options & LDETECTOR_OPTION_STOP) exited |= barrierOr(*(const volatile uint32_t *)&s.stopped != 0);
  return exited ? LDETECTOR_LEAVE : LDETECTOR_GO;
}

// commit ends a region that has been checked. The others have read the original for the last
// time.
INLINE uint32_t commit(const State &s, const Block *b, bool exited) {
  __ptxsan_ldetector_region_commit(&b->segment);
  return leave(s, exited);
}

// again starts another pass. Stores that are undone are seen by all that load.
INLINE uint32_t again(Block *b, const Who &me, uint32_t pass) {
  if (me.thread == 0) b->pass = pass;
  barrier();
  return LDETECTOR_AGAIN;
}

// finish ends a region that has been checked. When it has made records whose accesses are to be
// found, the region is executed as in the first pass once more, unless its log was full.
FUNCTION uint32_t finish(Block *b, bool full, bool exited) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  barrier();
  if (!(s.options & LDETECTOR_OPTION_SITES) || b->records == 0 || full) return commit(s, b, exited);
  __ptxsan_ldetector_restore(b->rows);
  __ptxsan_ldetector_copy_in(&b->segment);
  again(b, me, WATCHING);
  return LDETECTOR_WATCH;
}

// speculate leaves the second pass to a child grid (section 5): the block goes on with the union,
// and the child grid executes the region with the original that was kept.
FUNCTION uint32_t speculate(Block *b, bool exited) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  for (uint32_t i = me.thread, n = chunks(b->segment); i < n; i += me.threads) // as in regionCommit
    *at((uint64_t)b + s.kept_at, i) = original(b->segment, i);
  uint32_t action = commit(s, b, exited);
  barrier();
  if (me.thread != 0) return action;
  b->segment.original = (uint64_t)b + s.kept_at;
  b->pass = 2;
  b->busy = 1;
  atomicAdd(&s.speculated, 1u);
  __threadfence();
  return action | LDETECTOR_LAUNCH;
}

// first is the commit of the first pass (4.1): write-write races, and the union.
FUNCTION uint32_t first(Block *b, bool exited, bool speculative) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  __ptxsan_ldetector_region_diff(&b->segment, &b->conflict);
  bool full = overflown(s, b, me), raced = b->conflict != LDETECTOR_NONE, all = s.options & LDETECTOR_OPTION_CONTINUE;
  if (raced) recordWrites(b, all);
  __ptxsan_ldetector_region_union(&b->segment);
  barrier();
  if (full || raced && !all) {
    if (full && me.thread == 0) atomicAdd(&s.unlogged, 1u);
    return finish(b, full, exited);
  }
  if (speculative) return speculate(b, exited);
  __ptxsan_ldetector_restore(b->rows);
  __ptxsan_ldetector_region_combine(&b->segment);
  return again(b, me, 2);
}

// search starts a pass in which the second warp's copy is merged below an offset.
INLINE uint32_t search(Block *b, const Who &me, uint32_t pass, uint32_t low, uint32_t high) {
  if (me.thread == 0) b->low = low, b->high = high;
  __ptxsan_ldetector_restore(b->rows);
  __ptxsan_ldetector_region_merge(&b->segment, me.warp == b->second ? (low + high) / 2 : 0);
  return again(b, me, pass);
}

// second is the commit of the second pass (4.2): read-write races.
FUNCTION uint32_t second(Block *b, uint32_t left, bool exited) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  uint32_t offset = __ptxsan_ldetector_compare_output(&b->segment);
  if (offset != LDETECTOR_NONE) left |= LDETECTOR_LEFT_SHARED;
  if (left) atomicMin(&b->second, me.warp);
  bool full = overflown(s, b, me);
  if (b->second == LDETECTOR_NONE) return finish(b, full, exited);
  if (left && me.warp == b->second) {
    atomicOr((int *)&b->left, (int)left);
    atomicMin(&b->address, offset);
    if (left & ~LDETECTOR_LEFT_SHARED) atomicMin(&b->thread, me.thread);
  }
  barrier();
  if (s.options & LDETECTOR_OPTION_LOCATE && b->segment.owners && !full) return search(b, me, 3, 0, 0);
  if (me.thread == 0) recordRead(b);
  return finish(b, full, exited);
}

// later is the end of a pass of the search for the byte that the second warp has read. The
// first such pass merges nothing: when even then outputs are not those of the first pass, they
// do not depend on shared memory alone. Each other one halves the bytes among which it is.
FUNCTION uint32_t later(Block *b, uint32_t left, bool exited) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  uint32_t pass = b->pass, low = b->low, high = b->high, limit = (low + high) / 2;
  bool differs = me.warp == b->second && (left != 0 || __ptxsan_ldetector_compare_merged(&b->segment, limit));
  differs = barrierOr(differs);
  bool full = overflown(s, b, me);
  if (pass == 3 && differs) {
    if (me.thread == 0) atomicAdd(&s.unstable, 1u);
    return finish(b, full, exited);
  }
  if (pass == 3)
    high = b->segment.end;
  else if (differs)
    high = limit;
  else
    low = limit;
  if (!full && high - low > 1) return search(b, me, pass + 1, low, high);
  if (me.thread == 0 && high - low == 1) recordFound(b, high - 1);
  if (me.thread == 0 && high - low != 1) record(b, LDETECTOR_KIND_READ_WRITE, LDETECTOR_NONE, b->second, 0, 0);
  return finish(b, full, exited);
}

// endOf is the end of a checked region.
FUNCTION uint32_t endOf(Block *b, uint32_t end, bool exit, bool exited, bool speculative, uint64_t registers, uint64_t stores) {
  const State &s = __ptxsan_ldetector_state;
  if (b->pass == WATCHING) return commit(s, b, exited);
  Who me;
  Digest *saved = (Digest *)b->digests + me.thread;
  registers ^= (end + 1) * 0x9e3779b97f4a7c15ull; // where a thread goes on leaves it, too
  if (b->pass == 1) {
    if (!exit || exited) b->end = end;
    saved->registers = registers, saved->stores = stores;
    return first(b, exited, speculative);
  }
  uint32_t left = 0;
  if (s.options & LDETECTOR_OPTION_OUTPUTS && saved->registers != registers) left |= LDETECTOR_LEFT_REGISTERS;
  if (s.options & LDETECTOR_OPTION_OUTPUTS && saved->stores != stores) left |= LDETECTOR_LEFT_STORES;
  return b->pass == 2 ? second(b, left, exited) : later(b, left, exited);
}

// The end of a region, before the barrier of the user's program, which it contains, or in
// place of the user's exit. registers and stores are digests of what leaves the thread.
HOOK(uint32_t) __ptxsan_ldetector_end(uint32_t region, uint32_t end, uint32_t flags, uint64_t registers, uint64_t stores) {
  const State &s = __ptxsan_ldetector_state;
  bool exit = flags & LDETECTOR_END_EXIT, exited = barrierAnd(exit);
  if (s.blocks == 0) return exited ? LDETECTOR_LEAVE : LDETECTOR_GO;
  Block *b = blockOf(s);
  if (!b->checked) return leave(s, exited);
  bool speculative = s.slots > 1 && barrierAnd(flags & LDETECTOR_END_SPECULATIVE && freeSlot(s, ((Block *)blockMemory(s))->current) != LDETECTOR_NONE);
  return endOf(b, end, exit, exited, speculative, registers, stores);
}

// -----------------------------------------------------------------------------
// Speculation (section 5). The environment of a child grid is a Block.

// The address behind the number of the region where a thread keeps its registers for a child
// grid; 0 when they are not needed.
HOOK(uint64_t) __ptxsan_ldetector_environment(uint32_t region) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks == 0 || s.slots <= 1) return 0;
  const Block *b = blockOf(s); // whether the region is checked, the first thread may be about to write
  uint64_t *saved = registersOf(s, b, Who());
  *saved = region;
  return (uint64_t)(saved + 1);
}

HOOK(uint64_t) __ptxsan_ldetector_current() { return (uint64_t)blockOf(__ptxsan_ldetector_state); }

// A child grid that could not be launched leaves its environment, which is used again.
HOOK(void) __ptxsan_ldetector_abandon() {
  State &s = __ptxsan_ldetector_state;
  atomicAdd(&s.unlogged, 1u);
  blockOf(s)->busy = 0;
}

// The start of a child grid: the second pass of its region. lo is where its shared arrays are.
HOOK(uint64_t) __ptxsan_ldetector_child_begin(uint64_t environment, uint32_t lo) {
  const Block *b = (const Block *)environment;
  Who me;
  __ptxsan_ldetector_region_combine(&b->segment);
  me.meet();
  return (uint64_t)copyOf(b->segment, me.warp) - lo / CHUNK * CHUNK;
}

HOOK(uint64_t) __ptxsan_ldetector_child_saved(uint64_t environment) {
  return (uint64_t)registersOf(__ptxsan_ldetector_state, (const Block *)environment, Who());
}

// The end of the region in a child grid, which leaves its environment when it is done.
HOOK(uint32_t) __ptxsan_ldetector_child_end(uint64_t environment, uint32_t region, uint32_t end, uint32_t flags, uint64_t registers, uint64_t stores) {
  Block *b = (Block *)environment;
  bool exit = flags & LDETECTOR_END_EXIT, exited = barrierAnd(exit);
  uint32_t action = endOf(b, end, exit, exited, false, registers, stores);
  if (action == LDETECTOR_AGAIN || action == LDETECTOR_WATCH) return action;
  barrier();
  __threadfence();
  if (Who().thread == 0) b->busy = 0;
  return LDETECTOR_LEAVE;
}

// note adds a site to a list, and the thread if it is the first one.
INLINE void note(uint32_t *sites, uint32_t *thread, uint32_t site, const Who &me) {
  LOOP for (uint32_t i = 0; i < LDETECTOR_RACE_SITES; i++) {
    uint32_t was = atomicCAS(sites + i, 0u, site);
    if (was == 0 && i == 0) *thread = me.thread;
    if (was == 0 || was == site) return;
  }
}

// touch notes an access at an address that is redirected in the records of its block's races
// whose bytes it touches.
FUNCTION void touch(const Block *b, uint64_t address, uint32_t site, uint32_t info) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  uint64_t offset = address - (uint64_t)copyOf(b->segment, me.warp);
  if (b->pass != WATCHING || offset >= b->segment.stride) return;
  uint32_t from = b->base + (uint32_t)offset, to = from + (info & (1u << LDETECTOR_TOUCH_BYTES_BITS) - 1);
  bool writes = info >> LDETECTOR_TOUCH_WRITE_BIT & 1;
  LOOP for (uint32_t i = 0; i < min(b->records, (uint32_t)LDETECTOR_RACE_SITES); i++) {
    Race *r = (Race *)s.races + b->watched[i];
    if (from >= r->address + r->bytes || to <= r->address) continue;
    if (me.warp == r->first && writes) note(r->first_sites, &r->first_thread, site, me);
    if (me.warp == r->second && writes == (r->kind == LDETECTOR_KIND_WRITE_WRITE)) note(r->second_sites, &r->second_thread, site, me);
  }
}

// Before an access, when end has returned LDETECTOR_WATCH.
HOOK(void) __ptxsan_ldetector_touch(uint64_t address, uint32_t site, uint32_t info) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks != 0) touch(blockOf(s), address, site, info);
}

HOOK(void) __ptxsan_ldetector_child_touch(uint64_t environment, uint64_t address, uint32_t site, uint32_t info) { touch((const Block *)environment, address, site, info); }
