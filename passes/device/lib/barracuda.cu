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
static_assert(__builtin_offsetof(Queue, read) == BARRACUDA_QUEUE_READ);
static_assert(__builtin_offsetof(Queue, last) == BARRACUDA_QUEUE_LAST);
static_assert(__builtin_offsetof(Record, ticket) == BARRACUDA_RECORD_TICKET);

#define HOOKED(result) extern "C" __device__ __attribute__((used)) result
#define HOOK HOOKED(void)
#define FUNCTION static __device__ __noinline__
#define INLINE __device__ static inline __attribute__((always_inline))

static constexpr unsigned WAIT_NS = 100;

INLINE uint32_t laneid() { return __nvvm_read_ptx_sreg_laneid() & 31; }
INLINE uint32_t block() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }
INLINE uint32_t thread_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// first is the first lane of a mask. The compiler would make another instruction of it,
// which the emulator has no row for.
INLINE uint32_t first(uint32_t mask) {
  uint32_t n;
  asm("popc.b32 %0, %1;" : "=r"(n) : "r"(mask - 1 & ~mask));
  return n;
}

// Lanes that write a record go through the same code, so that they do not part. What one
// of them does for all, the leader, is predicated, without a branch.

// reserve takes the next index of a queue, in the leader; other lanes get 0.
INLINE uint32_t reserve(uint64_t queue, uint32_t lane, uint32_t leader) {
  uint32_t index = 0;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, %3; @p atom.global.add.u32 %0, [%1], 1; }" : "+r"(index) : "l"(queue), "r"(lane), "r"(leader) : "memory");
  return index;
}

// room reports whether the host has made room for the record with an index. 32 bits of an
// index are enough to tell records in a queue apart. place is where it goes in the ring.
INLINE bool room(uint64_t queue, uint32_t index, uint32_t &place) {
  uint32_t read, last;
  asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2+64];" : "=r"(read), "=r"(last) : "l"(queue) : "memory");
  place = index & last;
  return index - read <= last;
}

// write writes a record for the lanes in mask, which are here together, once the host has
// made room for it. addressed: each lane has an address.
//
// The ticket, written last, is what tells the host that the record is complete: those that
// were in its place before have lower ones, which the host has seen. The barrier orders the
// addresses that lanes write before it, the fence all of that before the mark, and the
// ticket, which decides the order of records, before what the program does next: a release
// that acquires see has the lower ticket. A ticket is drawn when there is room, so that every
// record with a ticket is completed whatever else waits.
template <bool addressed> INLINE void write(uint64_t queue, uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  uint32_t lane = laneid(), leader = first(mask), place;
  uint32_t index = __shfl_sync(mask, (int)reserve(queue, lane, leader), leader);
  while (!room(queue, index, place)) __nvvm_nanosleep(WAIT_NS);
  uint64_t record = queue + (uint64_t)place * BARRACUDA_RECORD_BYTES;
  if (addressed) asm volatile("{ .reg .b64 own; mad.wide.u32 own, %1, 8, %0; st.global.u64 [own+160], %2; }" ::"l"(record), "r"(lane), "l"(addr) : "memory");
  asm volatile("{ .reg .pred p; .reg .b64 ticket;"
               " setp.eq.u32 p, %0, %1; mov.u64 ticket, 0;"
               " @p atom.global.add.u64 ticket, [__ptxsan_barracuda_state+16], 1;"
               " @p st.global.v4.u32 [%2+128], {%3, %4, %5, %6};"
               " @p st.global.u64 [%2+144], %7;"
               " bar.warp.sync %5;"
               " membar.sys;"
               " @p st.volatile.global.u64 [%2+152], ticket; }" ::"r"(lane),
               "r"(leader), "l"(record), "r"(info), "r"(site), "r"(mask), "r"(extra), "l"(thread)
               : "memory");
}

static_assert(BARRACUDA_QUEUE_READ == 64 && BARRACUDA_QUEUE_LAST == 68, "read together");
static_assert(BARRACUDA_QUEUE_BYTES == 128 && BARRACUDA_RECORD_TICKET == 24 && BARRACUDA_RECORD_ADDRESSES == 32, "offsets from a queue");
static_assert(__builtin_offsetof(State, ticket) == 16 && __builtin_offsetof(Record, thread) == 16, "offsets in assembly");

// log is write for hooks that are called now and then.
FUNCTION void log(uint64_t queue, uint64_t thread, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  write<false>(queue, thread, 0, info, site, extra, mask);
}

// different is the lanes that write another value than the first lane with the same
// address: a warp may write one value from many lanes (section 3.3.1).
INLINE uint32_t different(uint64_t addr, uint64_t value, uint32_t mask) {
  uint32_t same = __nvvm_match_any_sync_i64(mask, addr);
  if (!__any_sync(mask, same & same - 1)) return 0;
  int leader = first(same);
  uint32_t low = __shfl_sync(mask, (int)value, leader);
  uint32_t high = __shfl_sync(mask, (int)(value >> 32), leader);
  return __ballot_sync(mask, ((uint64_t)high << 32 | low) != value);
}

// somewhere writes an access by generic addresses. Lanes may be in different spaces; those
// in local and constant memory are nobody else's business. Shared memory of another block of
// the cluster is not __isShared.
FUNCTION void somewhere(uint64_t queue, uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  constexpr uint32_t in_global = BARRACUDA_SPACE_GLOBAL << BARRACUDA_SPACE_SHIFT, in_shared = BARRACUDA_SPACE_SHARED << BARRACUDA_SPACE_SHIFT;
  uint32_t lane = 1u << laneid();
  uint32_t global = __ballot_sync(mask, __isGlobal((void *)addr));
  uint32_t other = __ballot_sync(mask, __nvvm_isspacep_local((void *)addr) || __nvvm_isspacep_const((void *)addr));
  uint32_t shared = mask & ~global & ~other;
  if (!(other & lane)) {
    uint32_t together = global & lane ? global : shared;
    write<true>(queue, thread, addr, info | (global & lane ? in_global : in_shared), site, extra & together, together);
  }
  __syncwarp(mask);
}

// access writes an access. Most generic addresses are those of global memory.
INLINE void access(uint64_t queue, uint64_t thread, uint64_t addr, uint32_t info, uint32_t site, uint32_t extra, uint32_t mask) {
  constexpr uint32_t spaces = (1u << BARRACUDA_SPACE_BITS) - 1 << BARRACUDA_SPACE_SHIFT;
  if (!(info & spaces)) {
    if (!__all_sync(mask, __isGlobal((void *)addr))) {
      somewhere(queue, thread, addr, info, site, extra, mask);
      return;
    }
    info |= BARRACUDA_SPACE_GLOBAL << BARRACUDA_SPACE_SHIFT;
  }
  write<true>(queue, thread, addr, info, site, extra, mask);
}

// Functions that log keep the queue of their block in a register; 0 switches hooks off.
HOOKED(uint64_t) __ptxsan_barracuda_queue() {
  const State &s = __ptxsan_barracuda_state;
  return s.queues ? s.queues + block() % s.count * s.stride : 0;
}

// Where a kernel begins: __ptxsan_barracuda_queue, and the record of it.
HOOKED(uint64_t) __ptxsan_barracuda_begin() {
  uint64_t queue = __ptxsan_barracuda_queue();
  if (queue) {
    uint64_t threads = (uint64_t)(blockDim.x * blockDim.y) * blockDim.z;
    write<false>(queue, block() * threads + thread_in_block(), 0, BARRACUDA_STARTED, 0, 0, __activemask());
  }
  return queue;
}

HOOK __ptxsan_barracuda_end(uint64_t thread, uint64_t queue) {
  if (queue) write<false>(queue, thread, 0, BARRACUDA_EXITED, 0, 0, __activemask());
}

// A load, an atomic operation, or a store of which the value is of no interest.
HOOK __ptxsan_barracuda_access(uint64_t thread, uint64_t queue, uint64_t addr, uint32_t info, uint32_t site) {
  if (queue) access(queue, thread, addr, info, site, 0, __activemask());
}

INLINE void store(uint64_t thread, uint64_t queue, uint64_t addr, uint32_t info, uint32_t site, uint64_t value) {
  if (!queue) return;
  uint32_t mask = __activemask();
  access(queue, thread, addr, info, site, different(addr, value, mask), mask);
}

HOOK __ptxsan_barracuda_store32(uint64_t thread, uint64_t queue, uint64_t addr, uint32_t info, uint32_t site, uint32_t value) {
  store(thread, queue, addr, info, site, value);
}

HOOK __ptxsan_barracuda_store64(uint64_t thread, uint64_t queue, uint64_t addr, uint32_t info, uint32_t site, uint64_t value) {
  store(thread, queue, addr, info, site, value);
}

HOOK __ptxsan_barracuda_storepair(uint64_t thread, uint64_t queue, uint64_t addr, uint32_t info, uint32_t site, uint32_t low, uint32_t high) {
  store(thread, queue, addr, info, site, (uint64_t)high << 32 | low);
}

// Before a barrier of the block or the cluster, with the record's kind in info; after
// one of the cluster.
HOOK __ptxsan_barracuda_barrier(uint64_t thread, uint64_t queue, uint32_t barrier, uint32_t threads, uint32_t info, uint32_t site) {
  if (queue) write<false>(queue, thread, 0, info, site, barrier << 16 | threads, __activemask());
}

// Before bar.warp.sync.
HOOK __ptxsan_barracuda_warpsync(uint64_t thread, uint64_t queue, uint32_t lanes, uint32_t site) {
  if (queue) write<false>(queue, thread, 0, BARRACUDA_WARP_LANES, site, lanes, __activemask());
}

HOOK __ptxsan_barracuda_fence(uint64_t thread, uint64_t queue, uint32_t info, uint32_t site) {
  if (queue) write<false>(queue, thread, 0, info, site, 0, __activemask());
}

// Before a branch, in the lanes that take it and those that do not. A branch that all
// take, or none, is no event. The result is whether it parts the lane from others.
HOOKED(uint32_t) __ptxsan_barracuda_branch(uint64_t thread, uint64_t queue, uint32_t taken, uint32_t site) {
  uint32_t parts = 0;
  if (queue) {
    uint32_t mask = __activemask();
    uint32_t go = __ballot_sync(mask, taken);
    if (go != 0 && go != mask) {
      write<false>(queue, thread, 0, BARRACUDA_IF, site, go, mask);
      parts = 1;
    }
  }
  return parts;
}

// Before a branch with many targets: the lanes without the guard part from the others,
// then those of one target after the other.
HOOKED(uint32_t) __ptxsan_barracuda_switch(uint64_t thread, uint64_t queue, uint32_t guard, uint32_t index, uint32_t site) {
  if (!queue) return 0;
  uint32_t parts = 0;
  uint32_t mask = __activemask();
  uint32_t go = __ballot_sync(mask, guard);
  if (go != 0 && go != mask) {
    log(queue, thread, BARRACUDA_IF, site, go, mask);
    parts = 1;
  }
  if (go >> laneid() & 1) {
    while (go != 0) {
      uint32_t same = __ballot_sync(go, index == __shfl_sync(go, (int)index, first(go)));
      if (same != go) {
        log(queue, thread, BARRACUDA_IF, site, same, go);
        parts = 1;
      }
      if (same >> laneid() & 1) break;
      go &= ~same;
    }
  }
  __syncwarp(mask);
  return parts;
}

// Where lanes that a branch has parted meet again: the last one, or one before.
HOOK __ptxsan_barracuda_converge(uint64_t thread, uint64_t queue, uint32_t last, uint32_t before) {
  if (last | before) write<false>(queue, thread, 0, BARRACUDA_FI, 0, 0, __activemask());
}
