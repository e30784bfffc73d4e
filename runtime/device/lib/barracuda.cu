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

#define HOOK extern "C" __device__ __attribute__((used)) void

typedef unsigned long long u64;
typedef const volatile u64 *Watched;

static constexpr unsigned WAIT_NS = 100;

__device__ static inline uint32_t laneid() { return __nvvm_read_ptx_sreg_laneid() & 31; }
__device__ static inline uint32_t block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
__device__ static inline uint32_t thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// at is the place of a record in the queue with that number.
__device__ static inline Record *at(const State &s, uint32_t queue, u64 index) {
  return (Record *)s.records + ((u64)queue << s.capacity) + (index & (1ull << s.capacity) - 1);
}

// reserve is the index of a record of the queue, once the host has made room for it.
__device__ static u64 reserve(const State &s, Queue *q) {
  u64 index = atomicAdd(&q->head, 1ull);
  while (index - *(Watched)&q->read >> s.capacity != 0) __nvvm_nanosleep(WAIT_NS);
  return index;
}

// commit marks a record as complete and shows the host all complete records of the
// queue up to the first that is not. Nobody waits for the others: who completes that
// one sees to it, since of two that mark and look at least one sees the other's mark.
__device__ static void commit(const State &s, uint32_t queue, Queue *q, u64 index, Record *r) {
  __threadfence_system();
  *(volatile uint64_t *)&r->sequence = index + 1;
  __threadfence_system();
  for (;;) {
    u64 next = *(Watched)&q->commit;
    if (*(volatile uint64_t *)&at(s, queue, next)->sequence != next + 1) return;
    __threadfence_system();
    atomicCAS(&q->commit, next, next + 1);
  }
}

// log writes a record for the lanes in mask, which are here together. The first of
// them does what is done once.
__device__ static __noinline__ void log(uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  State &s = __ptxsan_barracuda_state;
  uint32_t lane = laneid();
  int leader = __ffs(mask) - 1;
  uint32_t queue = block() % s.count;
  Queue *q = (Queue *)s.queues + queue;
  u64 index = 0;
  if (lane == leader) index = reserve(s, q);
  uint32_t low = __shfl_sync(mask, (int)index, leader);
  uint32_t high = __shfl_sync(mask, (int)(index >> 32), leader);
  index = (u64)high << 32 | low;
  Record *r = at(s, queue, index);
  r->addresses[lane] = addr;
  __syncwarp(mask);
  if (lane == leader) {
    r->thread = thread - lane;
    r->mask = mask;
    r->site = site;
    r->info = info;
    r->extra = extra;
    r->ticket = atomicAdd(&s.ticket, 1ull) + 1;
    commit(s, queue, q, index, r);
  }
  __syncwarp(mask);
}

__device__ static inline bool off() { return __ptxsan_barracuda_state.queues == 0; }

// different is the lanes that write another value than the first lane with the same
// address: a warp may write one value from many lanes (section 3.3.1).
__device__ static uint32_t different(uint64_t addr, uint64_t value, uint32_t mask) {
  uint32_t same = __nvvm_match_any_sync_i64(mask, addr);
  if (!__any_sync(mask, same & same - 1)) return 0;
  int first = __ffs(same) - 1;
  uint32_t low = __shfl_sync(mask, (int)value, first);
  uint32_t high = __shfl_sync(mask, (int)(value >> 32), first);
  return __ballot_sync(mask, ((uint64_t)high << 32 | low) != value);
}

// access logs an access. Lanes with generic addresses may be in different spaces;
// those in local and constant memory are nobody else's business. Shared memory of another
// block of the cluster is not __isShared.
__device__ static inline void access(uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  constexpr uint32_t spaces = (1u << BARRACUDA_SPACE_BITS) - 1;
  if (info >> BARRACUDA_SPACE_SHIFT & spaces) {
    log(thread, addr, info, site, extra, mask);
    return;
  }
  uint32_t global = __ballot_sync(mask, __isGlobal((void *)addr));
  uint32_t other = __ballot_sync(mask, __nvvm_isspacep_local((void *)addr) || __nvvm_isspacep_const((void *)addr));
  uint32_t shared = mask & ~global & ~other;
  uint32_t lane = 1u << laneid();
  if (global & lane) log(thread, addr, info | BARRACUDA_SPACE_GLOBAL << BARRACUDA_SPACE_SHIFT, site, extra & global, global);
  if (shared & lane) log(thread, addr, info | BARRACUDA_SPACE_SHARED << BARRACUDA_SPACE_SHIFT, site, extra & shared, shared);
  __syncwarp(mask);
}

HOOK __ptxsan_barracuda_begin() {
  if (off()) return;
  uint64_t threads = (uint64_t)(blockDim.x * blockDim.y) * blockDim.z;
  log(block() * threads + thread_in_block(), 0, BARRACUDA_STARTED, 0, 0, __activemask());
}

HOOK __ptxsan_barracuda_end(uint64_t thread) {
  if (off()) return;
  log(thread, 0, BARRACUDA_EXITED, 0, 0, __activemask());
}

// A load, an atomic operation, or a store of which the value is of no interest.
HOOK __ptxsan_barracuda_access(uint64_t thread, uint64_t addr, uint32_t info, uint32_t site) {
  if (off()) return;
  access(thread, addr, info, site, 0, __activemask());
}

HOOK __ptxsan_barracuda_store64(uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint64_t value) {
  if (off()) return;
  uint32_t mask = __activemask();
  access(thread, addr, info, site, different(addr, value, mask), mask);
}

HOOK __ptxsan_barracuda_store(uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t low, uint32_t high) {
  __ptxsan_barracuda_store64(thread, addr, info, site, (uint64_t)high << 32 | low);
}

// Before a barrier of the block or the cluster, with the record's kind in info; after
// one of the cluster.
HOOK __ptxsan_barracuda_barrier(uint64_t thread, uint32_t barrier, uint32_t threads, uint32_t info, uint32_t site) {
  if (off()) return;
  log(thread, 0, info, site, barrier << 16 | threads, __activemask());
}

// Before bar.warp.sync.
HOOK __ptxsan_barracuda_warpsync(uint64_t thread, uint32_t lanes, uint32_t site) {
  if (off()) return;
  log(thread, 0, BARRACUDA_WARP_LANES, site, lanes, __activemask());
}

HOOK __ptxsan_barracuda_fence(uint64_t thread, uint32_t info, uint32_t site) {
  if (off()) return;
  log(thread, 0, info, site, 0, __activemask());
}

// Before a branch, in the lanes that take it and those that do not. A branch that all
// take, or none, is no event.
HOOK __ptxsan_barracuda_branch(uint64_t thread, uint32_t taken, uint32_t site) {
  if (off()) return;
  uint32_t mask = __activemask();
  uint32_t go = __ballot_sync(mask, taken);
  if (go != 0 && go != mask) log(thread, 0, BARRACUDA_IF, site, go, mask);
}

// Before a branch with many targets: the lanes without the guard part from the others,
// then those of one target after the other.
HOOK __ptxsan_barracuda_switch(uint64_t thread, uint32_t guard, uint32_t index, uint32_t site) {
  if (off()) return;
  uint32_t mask = __activemask();
  uint32_t go = __ballot_sync(mask, guard);
  if (go != 0 && go != mask) log(thread, 0, BARRACUDA_IF, site, go, mask);
  if (go >> laneid() & 1) {
    while (go != 0) {
      uint32_t same = __ballot_sync(go, index == __shfl_sync(go, (int)index, __ffs(go) - 1));
      if (same != go) log(thread, 0, BARRACUDA_IF, site, same, go);
      if (same >> laneid() & 1) break;
      go &= ~same;
    }
  }
  __syncwarp(mask);
}

// Where lanes that a branch has parted meet again.
HOOK __ptxsan_barracuda_converge(uint64_t thread) {
  if (off()) return;
  log(thread, 0, BARRACUDA_FI, 0, 0, __activemask());
}
