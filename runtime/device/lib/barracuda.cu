// The BARRACUDA device library: every hook writes what the lanes of a warp do together
// as one record into the queue of their block, which the host reads while the kernel
// runs (PLDI 2017, section 4.2). Data formats are in barracuda_abi.h, the detector is
// on the host.
//
// generate.sh compiles this file to the committed barracuda.ptx.
#include "cuda_builtins.h"
#include "barracuda_abi.h"

__device__ State __ptxsan_barracuda_state = {.version = BARRACUDA_ABI_VERSION};

static_assert(sizeof(State) == BARRACUDA_STATE_BYTES);
static_assert(sizeof(Queue) == BARRACUDA_QUEUE_BYTES);
static_assert(sizeof(Record) == BARRACUDA_RECORD_BYTES);
static_assert(__builtin_offsetof(Queue, head) == BARRACUDA_QUEUE_HEAD);
static_assert(__builtin_offsetof(Queue, commit) == BARRACUDA_QUEUE_COMMIT);
static_assert(__builtin_offsetof(Queue, read) == BARRACUDA_QUEUE_READ);

static_assert(__builtin_offsetof(Record, thread) == 16 && __builtin_offsetof(Record, sequence) == 32, "written as vectors");

#define HOOK extern "C" __device__ __attribute__((used)) void
#define INLINE __device__ static inline __attribute__((always_inline))

typedef unsigned long long u64;
typedef const volatile u64 *Watched;

static constexpr unsigned WAIT_NS = 100;

INLINE uint32_t laneid() { return __nvvm_read_ptx_sreg_laneid() & 31; }
INLINE uint32_t block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
INLINE uint32_t thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// Lanes that write a record go through the same code, so that they do not part. What one
// of them does for all, the leader, is predicated, without a branch.

// add is what the leader finds when it adds 1; undefined in other lanes.
INLINE u64 add(uint64_t counter, uint32_t leader) {
  u64 old;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; mov.u64 %0, 0; @p atom.global.add.u64 %0, [%1], 1; }" : "=l"(old) : "l"(counter), "r"(leader) : "memory");
  return old;
}

INLINE void compare_and_swap(uint64_t word, u64 before, u64 after, uint32_t leader) {
  asm volatile("{ .reg .pred p; .reg .b64 old; setp.ne.u32 p, %3, 0; @p atom.global.cas.b64 old, [%0], %1, %2; }" ::"l"(word), "l"(before), "l"(after), "r"(leader) : "memory");
}

INLINE u64 watch(uint64_t word) {
  u64 v;
  asm volatile("ld.volatile.global.u64 %0, [%1];" : "=l"(v) : "l"(word) : "memory");
  return v;
}

// at is the address of a record in the ring of a queue.
INLINE uint64_t at(uint64_t ring, uint32_t index, uint32_t capacity) { return ring + (uint64_t)(index & (1u << capacity) - 1) * BARRACUDA_RECORD_BYTES; }

// commit marks a record as complete and shows the host all complete records of the
// queue up to the first that is not. Nobody waits for the others: who completes that
// one sees to it, since of two that mark and look at least one sees the other's mark.
INLINE void commit(uint64_t queue, uint64_t ring, uint32_t capacity, uint32_t index, uint64_t record, uint32_t leader) {
  __threadfence_system();
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.volatile.global.u32 [%0+32], %1; }" ::"l"(record), "r"(index + 1), "r"(leader) : "memory");
  __threadfence_system();
  for (;;) {
    u64 next = watch(queue + BARRACUDA_QUEUE_COMMIT);
    uint32_t sequence;
    asm volatile("ld.volatile.global.u32 %0, [%1+32];" : "=r"(sequence) : "l"(at(ring, (uint32_t)next, capacity)) : "memory");
    if (sequence != (uint32_t)next + 1) return;
    __threadfence_system();
    compare_and_swap(queue + BARRACUDA_QUEUE_COMMIT, next, next + 1, leader);
  }
}

// write writes a record for the lanes in mask, which are here together, once the host has
// made room for it. 32 bits of an index are enough to tell records in a queue apart.
INLINE void write(uint64_t thread, uint64_t addr, uint64_t what, uint32_t extra, uint32_t mask) {
  const State &s = __ptxsan_barracuda_state;
  uint32_t lane = laneid(), first = __ffs(mask) - 1, leader = lane == first;
  uint32_t number = block() % s.count, capacity = s.capacity;
  uint64_t queue = s.queues + number * BARRACUDA_QUEUE_BYTES;
  uint64_t ring = s.records + ((uint64_t)number << capacity) * BARRACUDA_RECORD_BYTES;
  uint32_t index = __shfl_sync(mask, (int)add(queue + BARRACUDA_QUEUE_HEAD, leader), first);
  while (index - (uint32_t)watch(queue + BARRACUDA_QUEUE_READ) >> capacity != 0) __nvvm_nanosleep(WAIT_NS);
  uint64_t record = at(ring, index, capacity);
  asm volatile("st.global.u64 [%0+48], %1;" ::"l"(record + 8 * lane), "l"(addr) : "memory");
  u64 ticket = add((uint64_t)(__attribute__((address_space(1))) const u64 *)&s.ticket, leader) + 1;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %7, 0;"
               " @p st.global.v4.u32 [%0], {%1, %2, %3, %4};"
               " @p st.global.v2.u64 [%0+16], {%5, %6}; }" ::"l"(record), "r"((uint32_t)what), "r"((uint32_t)(what >> 32)), "r"(mask), "r"(extra), "l"(thread - lane), "l"(ticket), "r"(leader) : "memory");
  __syncwarp(mask);
  commit(queue, ring, capacity, index, record, leader);
  __syncwarp(mask);
}

// log is write for hooks that are called now and then.
__device__ static __noinline__ void log(uint64_t thread, uint64_t addr, uint64_t what, uint32_t extra, uint32_t mask) {
  write(thread, addr, what, extra, mask);
}

INLINE bool off() { return __ptxsan_barracuda_state.queues == 0; }

// different is the lanes that write another value than the first lane with the same
// address: a warp may write one value from many lanes (section 3.3.1).
INLINE uint32_t different(uint64_t addr, uint64_t value, uint32_t mask) {
  uint32_t same = __nvvm_match_any_sync_i64(mask, addr);
  if (!__any_sync(mask, same & same - 1)) return 0;
  int first = __ffs(same) - 1;
  uint32_t low = __shfl_sync(mask, (int)value, first);
  uint32_t high = __shfl_sync(mask, (int)(value >> 32), first);
  return __ballot_sync(mask, ((uint64_t)high << 32 | low) != value);
}

// access writes an access. Lanes with generic addresses may be in different spaces;
// those in local and constant memory are nobody else's business. Shared memory of another
// block of the cluster is not __isShared.
INLINE void access(uint64_t thread, uint64_t addr, uint64_t what, uint32_t extra, uint32_t mask) {
  constexpr uint32_t spaces = (1u << BARRACUDA_SPACE_BITS) - 1;
  constexpr uint64_t in_global = BARRACUDA_SPACE_GLOBAL << BARRACUDA_SPACE_SHIFT, in_shared = BARRACUDA_SPACE_SHARED << BARRACUDA_SPACE_SHIFT;
  if (!((uint32_t)what >> BARRACUDA_SPACE_SHIFT & spaces)) {
    uint32_t lane = 1u << laneid();
    uint32_t global = __ballot_sync(mask, __isGlobal((void *)addr));
    uint32_t other = __ballot_sync(mask, __nvvm_isspacep_local((void *)addr) || __nvvm_isspacep_const((void *)addr));
    uint32_t shared = mask & ~global & ~other;
    if (other & lane) return;
    mask = global & lane ? global : shared;
    what |= global & lane ? in_global : in_shared;
  }
  write(thread, addr, what, extra & mask, mask);
}

HOOK __ptxsan_barracuda_begin() {
  if (off()) return;
  uint64_t threads = (uint64_t)(blockDim.x * blockDim.y) * blockDim.z;
  log(block() * threads + thread_in_block(), 0, BARRACUDA_STARTED, 0, __activemask());
}

HOOK __ptxsan_barracuda_end(uint64_t thread) {
  if (off()) return;
  log(thread, 0, BARRACUDA_EXITED, 0, __activemask());
}

// A load, an atomic operation, or a store of which the value is of no interest.
HOOK __ptxsan_barracuda_access(uint64_t thread, uint64_t addr, uint64_t what) {
  if (off()) return;
  uint32_t mask = __activemask();
  access(thread, addr, what, 0, mask);
  __syncwarp(mask);
}

INLINE void store(uint64_t thread, uint64_t addr, uint64_t what, uint64_t value) {
  if (off()) return;
  uint32_t mask = __activemask();
  access(thread, addr, what, different(addr, value, mask), mask);
  __syncwarp(mask);
}

HOOK __ptxsan_barracuda_store32(uint64_t thread, uint64_t addr, uint64_t what, uint32_t value) { store(thread, addr, what, value); }

__attribute__((noinline)) HOOK __ptxsan_barracuda_store64(uint64_t thread, uint64_t addr, uint64_t what, uint64_t value) {
  store(thread, addr, what, value);
}

HOOK __ptxsan_barracuda_storepair(uint64_t thread, uint64_t addr, uint64_t what, uint32_t low, uint32_t high) {
  __ptxsan_barracuda_store64(thread, addr, what, (uint64_t)high << 32 | low);
}

// Before a barrier of the block or the cluster, with the record's kind in what; after
// one of the cluster.
HOOK __ptxsan_barracuda_barrier(uint64_t thread, uint32_t barrier, uint32_t threads, uint64_t what) {
  if (off()) return;
  write(thread, 0, what, barrier << 16 | threads, __activemask());
}

// site is the argument what of a record of a kind that needs no more.
INLINE uint64_t site(uint32_t id, uint32_t kind) { return (uint64_t)id << 32 | kind; }

// Before bar.warp.sync.
HOOK __ptxsan_barracuda_warpsync(uint64_t thread, uint32_t lanes, uint32_t id) {
  if (off()) return;
  log(thread, 0, site(id, BARRACUDA_WARP_LANES), lanes, __activemask());
}

HOOK __ptxsan_barracuda_fence(uint64_t thread, uint64_t what) {
  if (off()) return;
  log(thread, 0, what, 0, __activemask());
}

// Before a branch, in the lanes that take it and those that do not. A branch that all
// take, or none, is no event.
HOOK __ptxsan_barracuda_branch(uint64_t thread, uint32_t taken, uint32_t id) {
  if (off()) return;
  uint32_t mask = __activemask();
  uint32_t go = __ballot_sync(mask, taken);
  if (go != 0 && go != mask) write(thread, 0, site(id, BARRACUDA_IF), go, mask);
}

// Before a branch with many targets: the lanes without the guard part from the others,
// then those of one target after the other.
HOOK __ptxsan_barracuda_switch(uint64_t thread, uint32_t guard, uint32_t index, uint32_t id) {
  if (off()) return;
  uint32_t mask = __activemask();
  uint32_t go = __ballot_sync(mask, guard);
  if (go != 0 && go != mask) log(thread, 0, site(id, BARRACUDA_IF), go, mask);
  if (go >> laneid() & 1) {
    while (go != 0) {
      uint32_t same = __ballot_sync(go, index == __shfl_sync(go, (int)index, __ffs(go) - 1));
      if (same != go) log(thread, 0, site(id, BARRACUDA_IF), same, go);
      if (same >> laneid() & 1) break;
      go &= ~same;
    }
  }
  __syncwarp(mask);
}

// Where lanes that a branch has parted meet again.
HOOK __ptxsan_barracuda_converge(uint64_t thread) {
  if (off()) return;
  write(thread, 0, BARRACUDA_FI, 0, __activemask());
}
