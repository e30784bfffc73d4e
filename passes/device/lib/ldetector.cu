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
#include "ldetector_log.h"
#include "ldetector_races.h"


__device__ State __ptxsan_ldetector_state = {.version = LDETECTOR_ABI_VERSION};

extern __shared__ __align__(16) uint8_t __ptxsan_ldetector_dynamic_memory[];

// -----------------------------------------------------------------------------
// The operations of ldetector_region.h on one segment, by all threads of the block; tests call
// them one by one.

OPERATION(void) __ptxsan_ldetector_copy_in(const Segment *s) { copyIn(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_diff(const Segment *s, uint32_t *conflict) { regionDiff(*s, Who(), conflict); }
OPERATION(void) __ptxsan_ldetector_region_union(const Segment *s) { regionUnion(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_combine(const Segment *s) { regionCombine(*s, Who()); }
OPERATION(void) __ptxsan_ldetector_region_merge(const Segment *s, uint32_t limit) { regionMerge(*s, Who(), limit); }
OPERATION(uint32_t) __ptxsan_ldetector_compare_output(const Segment *s) { return compareOutput(*s, Who()); }
OPERATION(uint32_t) __ptxsan_ldetector_compare_merged(const Segment *s, uint32_t limit) { return compareMerged(*s, Who(), limit); }
OPERATION(void) __ptxsan_ldetector_region_commit(const Segment *s) { regionCommit(*s, Who()); }

// -----------------------------------------------------------------------------
// Regions.

// Once in each thread, before anything else: the arrays are bytes from lo on in the shared
// window.
HOOK(void) __ptxsan_ldetector_enter(uint32_t lo, uint32_t bytes) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  if (s.blocks == 0 || me.thread != 0) return;
  uint32_t base = lo / CHUNK * CHUNK;
  LOOP for (uint32_t slot = 0; slot < max(s.slots, 1u); slot++) {
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
  LOOP for (uint32_t slot = 0; slot < s.slots; slot++)
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
  if (checked) {
    ((Digest *)b->digests + me.thread)->called = 0;
    __ptxsan_ldetector_copy_in(&b->segment);
  }
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
  if (b->exited[me.warp] >> me.lane & 1) atomicAnd((int *)&b->exited[me.warp], ~(1 << me.lane)); // it has not, this time
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
  LOOP for (uint32_t i = me.thread, n = chunks(b->segment); i < n; i += me.threads) // as in regionCommit
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

// probes reports whether the pass after the second one is PROBING.
INLINE bool probes(const State &s, const Block *b) { return s.options & LDETECTOR_OPTION_SITES && b->segment.owners; }

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
  if (s.options & LDETECTOR_OPTION_LOCATE && b->segment.owners && !full) {
    if (!probes(s, b)) return search(b, me, PROBING, 0, 0);
    if (me.thread == 0) b->low = LDETECTOR_NONE;
    __ptxsan_ldetector_restore(b->rows);
    __ptxsan_ldetector_copy_in(&b->segment);
    again(b, me, PROBING);
    return LDETECTOR_WATCH;
  }
  if (me.thread == 0) recordRead(b);
  return finish(b, full, exited);
}

// probed is the end of the pass that looks for a warp that reads what another has modified.
// When there is none, the outputs differ for another reason than that warps race in shared
// memory.
FUNCTION uint32_t probed(Block *b, bool exited) {
  State &s = __ptxsan_ldetector_state;
  Who me;
  bool full = overflown(s, b, me);
  if (me.thread == 0 && b->low == LDETECTOR_NONE) atomicAdd(&s.unstable, 1u);
  if (me.thread == 0 && b->low != LDETECTOR_NONE) recordMet(b);
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
  stores ^= saved->called;
  saved->called = 0;
  registers ^= (end + 1) * 0x9e3779b97f4a7c15ull; // where a thread goes on leaves it, too
  if (b->pass == 1) {
    if (!exit || exited) b->end = end;
    saved->registers = registers, saved->stores = stores;
    return first(b, exited, speculative);
  }
  uint32_t left = 0;
  if (s.options & LDETECTOR_OPTION_OUTPUTS && saved->registers != registers) left |= LDETECTOR_LEFT_REGISTERS;
  if (s.options & LDETECTOR_OPTION_OUTPUTS && saved->stores != stores) left |= LDETECTOR_LEFT_STORES;
  if (b->pass == 2) return second(b, left, exited);
  return probes(s, b) ? probed(b, exited) : later(b, left, exited);
}

// Before an operation of the lanes of a warp, in kernels whose threads may exit before it: the
// lanes of its mask without those that have exited, which wait at the end of the region and
// would be waited for. Each of the others is waited for until it comes here or exits.
HOOK(uint32_t) __ptxsan_ldetector_lanes(uint32_t mask) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  uint32_t bit = 1u << me.lane;
  mask &= ~0u >> (LDETECTOR_LANES - me.lanes);
  if (s.blocks == 0 || !(mask & bit)) return mask;
  Block *b = blockOf(s);
  volatile uint32_t *arrived = &b->arrived[me.warp], *exited = &b->exited[me.warp];
  atomicOr((int *)arrived, (int)bit);
  while (((*arrived | *exited) & mask) != mask)
    ;
  mask &= ~*exited;
  __syncwarp(mask);
  atomicAnd((int *)arrived, (int)~bit);
  __syncwarp(mask);
  return mask;
}

// The end of a region, before the barrier of the user's program, which it contains, or in
// place of the user's exit. registers and stores are digests of what leaves the thread.
HOOK(uint32_t) __ptxsan_ldetector_end(uint32_t region, uint32_t end, uint32_t flags, uint64_t registers, uint64_t stores) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  bool exit = flags & LDETECTOR_END_EXIT;
  if (exit && s.blocks != 0) atomicOr((int *)&blockOf(s)->exited[me.warp], 1 << me.lane);
  bool exited = barrierAnd(exit);
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

// Before an access, when end has returned LDETECTOR_WATCH.
HOOK(void) __ptxsan_ldetector_touch(uint64_t address, uint32_t site, uint32_t info) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks != 0) touch(blockOf(s), address, site, info);
}

HOOK(void) __ptxsan_ldetector_child_touch(uint64_t environment, uint64_t address, uint32_t site, uint32_t info) { touch((Block *)environment, address, site, info); }
