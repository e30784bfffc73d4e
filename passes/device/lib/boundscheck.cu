// The boundscheck device library: is an access inside an allocation? Data formats
// are in boundscheck_abi.h.
//
// generate.sh compiles this file to the committed boundscheck.ptx.
#include "cuda_builtins.h"
#include "boundscheck_abi.h"

__device__ State __ptxsan_boundscheck_state = {.version = BOUNDS_ABI_VERSION};

// Where accesses out of bounds go: loads read zeros, stores are lost. Large enough
// for the largest access at the remainder of its address modulo 32.
static __device__ __align__(32) uint8_t zeros[64];
static __device__ __align__(32) uint8_t sink[64];

static_assert(sizeof(State) == BOUNDS_STATE_BYTES);
static_assert(sizeof(Entry) == BOUNDS_ENTRY_BYTES);
static_assert(sizeof(Record) == BOUNDS_RECORD_BYTES);

// inside looks for the last allocation that starts at or before the access.
static __device__ __forceinline__ bool inside(const State &s, uint64_t addr, uint64_t size) {
  const Entry *table = (const Entry *)s.table;
  uint64_t low = 0, high = s.entries;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (table[middle].first <= addr)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && addr < table[low - 1].end && size <= table[low - 1].end - addr;
}

static __device__ __forceinline__ bool isLocal(uint64_t addr) { return __nvvm_isspacep_local((void *)addr); }

// Before an access of global memory, in the lanes that make it. Returns the generic
// address to access instead: the address itself when it is inside an allocation, or
// not global at all.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_boundscheck_access(uint64_t addr, uint32_t info, uint32_t site) {
  const State &s = __ptxsan_boundscheck_state;
  if (s.records == 0 || site > s.sites) return addr;
  uint32_t size = info & ((1u << BOUNDS_INFO_SIZE_BITS) - 1);
  if (__isShared((void *)addr) || isLocal(addr) || inside(s, addr, size)) return addr;
  Record *r = (Record *)s.records + site;
  if (atomicAdd(&r->count, 1u) == 0) {
    r->thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    r->block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    r->address = addr;
  }
  uint8_t *place = info >> BOUNDS_INFO_WRITE_BIT & 1 ? sink : zeros;
  return (uint64_t)(place + (addr & 31));
}
