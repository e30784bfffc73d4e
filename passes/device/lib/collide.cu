// The collide device library: sampled accesses look for others at the same time. Data formats are in collide_abi.h.
//
// generate.sh compiles this file to the committed collide.ptx.
//
// A sampled access is armed if a conflicting one would race: its granules are entered in a table of watches, the memory is read, and
// read again after waits. Any sampled access looks into the table. One watch stays until its thread executes an operation that may
// release: until then nothing that the thread did is ordered before what others do, so whoever makes an access that conflicts is
// ordered neither before nor after it. Another thread may take the place of a watch.
// All waits are bounded, so that no other thread is needed for a thread to go on.
#include "cuda_builtins.h"
#include "collide_abi.h"

#define INLINE static __device__ __forceinline__

__device__ State __ptxsan_collide_state = {.version = COLLIDE_ABI_VERSION};

static_assert(sizeof(State) == COLLIDE_STATE_BYTES);
static_assert(sizeof(Race) == COLLIDE_RACE_BYTES);

typedef volatile unsigned long long Word64;

INLINE uint32_t mix(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

INLINE uint32_t threadOf() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
INLINE uint32_t blockOf() { return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z); }

// Access is the sampled access of the caller.
struct Access {
  uint64_t addr, place; // place: of the granule in another block's shared memory, or 0
  uint32_t size, site, thread, block, strength;
  bool writes, shared;
};

// Who is the second word of a watch.
INLINE uint32_t threadIn(unsigned long long who) { return who & 1023; }
INLINE uint32_t blockIn(unsigned long long who) { return who >> COLLIDE_WHO_BLOCK_SHIFT; }
INLINE uint32_t siteIn(unsigned long long who) { return who >> COLLIDE_WHO_SITE_SHIFT & ((1u << COLLIDE_WHO_SITE_BITS) - 1); }

// bytesOf is a mask of the bytes of a granule that an access touches.
INLINE uint32_t bytesOf(const Access &a) { return a.size >= 4 ? 15u : ((1u << a.size) - 1) << (a.addr & 3); }

INLINE unsigned long long granuleOf(const Access &a, uint32_t i) {
  uint64_t addr = (a.addr & ~3ull) + 4 * i;
  if (a.place != 0) return a.place + 4 * i;
  if (a.shared) return COLLIDE_SHARED | (unsigned long long)a.block << COLLIDE_SHARED_BLOCK_SHIFT | (__cvta_generic_to_shared((void *)addr) & COLLIDE_SHARED_MASK);
  return addr;
}

INLINE uint32_t slotOf(unsigned long long granule) { return mix((uint32_t)(granule >> 2) ^ (uint32_t)(granule >> 32)) % COLLIDE_WATCHES; }
INLINE Word64 *watchAt(const State &s, uint32_t slot) { return (Word64 *)(s.watches + slot * COLLIDE_WATCH_BYTES); }

// report counts a race, and keeps its first occurrence. The table may be memory of the host, which is read after a fault, too: a size
// says that what is before it is there.
static __device__ __noinline__ void report(uint32_t met, bool shared, uint32_t kind, uint32_t firstSite, uint32_t firstThread, uint32_t firstBlock, uint32_t site, uint32_t info,
                                           uint64_t addr, uint64_t before, uint64_t after) {
  State &s = __ptxsan_collide_state;
  unsigned long long key = 1ull << COLLIDE_KEY_USED_BIT | (unsigned long long)met << COLLIDE_KEY_MET_BIT | (unsigned long long)shared << COLLIDE_KEY_SHARED_BIT |
                           (unsigned long long)kind << COLLIDE_KEY_KIND_SHIFT | (unsigned long long)firstSite << COLLIDE_KEY_FIRST_SHIFT | site;
  uint32_t slot = mix(site * 31 + firstSite + kind);
#pragma clang loop unroll(disable)
  for (uint32_t tries = 0; tries < COLLIDE_RACES; tries++, slot++) {
    Race *r = (Race *)s.races + slot % COLLIDE_RACES;
    unsigned long long old = atomicCAS((unsigned long long *)&r->key, 0ull, key);
    if (old == 0) {
      r->address = addr, r->before = before, r->after = after;
      r->first_thread = firstThread, r->first_block = firstBlock;
      r->second_thread = threadOf(), r->second_block = blockOf();
      __threadfence_system();
      *(volatile uint32_t *)&r->size = info & ((1u << COLLIDE_INFO_SIZE_BITS) - 1);
      atomicAdd(&s.found, 1u);
    }
    if (old == 0 || old == key) {
      atomicAdd(&r->count, 1u);
      atomicOr((uint32_t *)s.arms + site, 1u << 31);
      return;
    }
  }
  atomicAdd(&s.dropped, 1u);
}

// meet reports a race with the access that has armed a watch, whose first word was head, if the two conflict. The lanes that
// execute one instruction together are one access of their warp. Two strong accesses conflict if the scope of one is its block, and
// the other is in another block.
INLINE void meet(const State &s, const Access &a, uint32_t info, Word64 *watch, unsigned long long head, unsigned long long granule) {
  const unsigned long long flags = 3ull << COLLIDE_WATCH_STRENGTH_SHIFT | 3;
  if ((head & ~flags) != granule || !(head & COLLIDE_WATCH_ARMED) || !(a.writes || head & COLLIDE_WATCH_WRITES)) return;
  __threadfence();
  unsigned long long who = watch[1];
  __threadfence();
  if (watch[0] != head || !(who >> COLLIDE_WHO_BYTES_SHIFT & bytesOf(a))) return;
  uint32_t thread = threadIn(who), block = blockIn(who), site = siteIn(who), strength = head >> COLLIDE_WATCH_STRENGTH_SHIFT & 3;
  if (a.strength && strength && (block == a.block || a.strength == COLLIDE_WIDE && strength == COLLIDE_WIDE)) return;
  bool warp = block == a.block && thread / 32 == a.thread / 32;
  if (warp && (site == a.site || thread == a.thread)) return;
  uint32_t kind = warp ? COLLIDE_KIND_WARP : block == a.block ? COLLIDE_KIND_BLOCK : COLLIDE_KIND_GRID;
  report(1, a.shared, kind, site, thread, block, a.site, info, a.addr, 0, 0);
  atomicOr((uint32_t *)s.arms + site, 1u << 31);
}

// arm looks at the watch of a granule, and takes its place if the access arms: if it is free, or if the access takes the place of
// others. It reports whether it has it.
INLINE bool arm(const State &s, const Access &a, uint32_t info, unsigned long long granule, bool arms, bool takes) {
  Word64 *watch = watchAt(s, slotOf(granule));
  unsigned long long head = watch[0];
  if (head & COLLIDE_WATCH_ARMED) meet(s, a, info, watch, head, granule);
  if (!arms || head != 0 && !(takes && head & COLLIDE_WATCH_ARMED)) return false;
  if (atomicCAS((unsigned long long *)watch, head, (unsigned long long)COLLIDE_WATCH_WRITES) != head) return false;
  watch[1] = (unsigned long long)a.block << COLLIDE_WHO_BLOCK_SHIFT | (unsigned long long)a.site << COLLIDE_WHO_SITE_SHIFT |
             (unsigned long long)bytesOf(a) << COLLIDE_WHO_BYTES_SHIFT | a.thread;
  __threadfence();
  watch[0] = granule | COLLIDE_WATCH_ARMED | (a.writes ? COLLIDE_WATCH_WRITES : 0) | (unsigned long long)a.strength << COLLIDE_WATCH_STRENGTH_SHIFT;
  return true;
}

// disarm ends a watch if it is still the one of a thread.
static __device__ __noinline__ void disarm(uint32_t slot, uint32_t thread, uint32_t block) {
  Word64 *watch = watchAt(__ptxsan_collide_state, slot);
  unsigned long long head = watch[0];
  __threadfence();
  unsigned long long who = watch[1];
  if (head & COLLIDE_WATCH_ARMED && threadIn(who) == thread && blockIn(who) == block) atomicCAS((unsigned long long *)watch, head, 0ull);
}

// value reads up to eight bytes of the access.
INLINE uint64_t value(const Access &a, uint32_t at) {
  const volatile void *p = (const volatile void *)(a.addr + at);
  switch (a.size) {
  case 1: return *(const volatile uint8_t *)p;
  case 2: return *(const volatile uint16_t *)p;
  case 4: return *(const volatile uint32_t *)p;
  }
  return *(const volatile uint64_t *)p;
}

// watch waits, and reports a change of what the access reads or overwrites: of the first and the last eight bytes.
INLINE void watch(const State &s, const Access &a, uint32_t info, uint32_t rounds) {
  uint32_t last = a.size > 8 ? a.size - 8 : 0;
  uint64_t first = value(a, 0), end = value(a, last);
#pragma clang loop unroll(disable)
  for (uint32_t round = 0; round < rounds; round++) {
    __nvvm_nanosleep(s.wait);
    uint64_t now = value(a, 0), before = first, at = 0;
    if (now == first && last > 0) now = value(a, last), before = end, at = last;
    if (now == before) continue;
    uint32_t kind = a.shared && a.place == 0 || gridDim.x * gridDim.y * gridDim.z == 1 ? COLLIDE_KIND_BLOCK : COLLIDE_KIND_GRID;
    report(0, a.shared, kind, 0, 0, 0, a.site, info, a.addr + at, before, now);
    return;
  }
}

// share adds to a counter, once for all lanes that are here, and returns what it was.
INLINE uint32_t share(uint32_t *counter, uint32_t add) {
  uint32_t lanes = __activemask(), leader = __ffs(lanes) - 1, was = 0;
  if ((__nvvm_read_ptx_sreg_laneid() & 31) == leader) was = atomicAdd(counter, add);
  return __shfl_sync(lanes, was, leader);
}

// At the start of a function. Returns the number of units of code until one is sampled.
extern "C" __device__ __attribute__((used)) uint32_t __ptxsan_collide_begin() {
  const State &s = __ptxsan_collide_state;
  if (s.races == 0) return COLLIDE_NEVER;
  if (*(const volatile uint32_t *)&s.calls < s.warm) return 0;
  return mix(s.seed ^ blockOf() * 32 + threadOf() / 32 ^ (uint32_t)clock() << 16) % s.period;
}

// Whether an access is armed, by how often its site was: sites without a race are armed less and less. Of a thread that holds a
// watch, each second one is.
INLINE bool armed(const State &s, const Access &a, uint32_t chance, uint32_t held) {
  if (held != 0 && chance >> 24 & 1) return false;
  if (a.strength == COLLIDE_WIDE || a.strength == COLLIDE_NARROW && (a.shared || gridDim.x * gridDim.y * gridDim.z == 1)) return false;
  uint32_t arms = share((uint32_t *)s.arms + a.site, __popc(__activemask()));
  if (arms >> 31 || arms < COLLIDE_YOUNG) return true;
  uint32_t rare = min(32 - __clz(arms / COLLIDE_YOUNG), (int)COLLIDE_RAREST);
  return (chance & ((1u << rare) - 1)) == 0;
}

// Before a sampled access, in the lanes that make it. Takes the watch that the thread holds, one more than its index, 0 for none, and
// the result of __ptxsan_collide_place, 0 where it does not matter. Returns the number of units of code until the next sample, and above it the watch that the thread holds now.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_collide_access(uint64_t addr, uint32_t info, uint32_t site, uint32_t held, uint64_t place) {
  State &s = __ptxsan_collide_state;
  if (s.races == 0 || site > s.sites) return COLLIDE_NEVER;
  Access a = {addr, place, info & ((1u << COLLIDE_INFO_SIZE_BITS) - 1), site, threadOf(), blockOf(), info >> COLLIDE_INFO_STRENGTH_SHIFT & 3, (bool)(info >> COLLIDE_INFO_WRITES_BIT & 1), place != 0 || __isShared((void *)addr)};
  uint32_t call = share(&s.calls, 1), chance = mix(s.seed ^ call);
  uint32_t next = call < s.warm ? 0 : s.period / 2 + chance % s.period;
  if (!a.shared && !__isGlobal((void *)addr)) return (uint64_t)held << 32 | next;
  bool arms = armed(s, a, chance, held);
  uint32_t granules = (a.size + 3) / 4, have = 0;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < granules; i++) have |= (uint32_t)arm(s, a, info, granuleOf(a, i), arms, chance >> 25 & 1) << i;
  if (arms && !a.strength) watch(s, a, info, 1 + (chance >> 8) % (2 * s.rounds)); // threads that came together part
  uint32_t keeps = have != 0 && !(info >> COLLIDE_INFO_PASSING_BIT & 1) ? have & -have : 0, old = keeps ? held : 0;
#pragma clang loop unroll(disable)
  for (uint32_t i = 0; i < granules; i++) {
    if (!(have >> i & 1)) continue;
    uint32_t slot = slotOf(granuleOf(a, i));
    if (old == slot + 1) old = 0;
    if (keeps >> i & 1) held = slot + 1;
    else disarm(slot, a.thread, a.block);
  }
  if (old != 0) disarm(old - 1, a.thread, a.block);
  return (uint64_t)held << 32 | next;
}

// Before an operation that may release, in the lanes that execute it and hold a watch.
extern "C" __device__ __attribute__((used)) void __ptxsan_collide_release(uint32_t held) {
  if (__ptxsan_collide_state.races != 0) disarm(held - 1, threadOf(), blockOf());
}
