// The memtrace device library: a record for each access of a warp, in a buffer of
// the host's. Data formats are in memtrace_abi.h.
//
// generate.sh compiles this file to the committed memtrace.ptx.
#include "cuda_builtins.h"
#include "memtrace_abi.h"

__device__ State __ptxsan_memtrace_state = {.version = MEMTRACE_ABI_VERSION};

static_assert(sizeof(State) == MEMTRACE_STATE_BYTES);
static_assert(sizeof(Record) == MEMTRACE_RECORD_BYTES);

// Before an access, in the lanes that make it. The lanes that are here together
// take one record; the order of the records is the order in which they were taken.
extern "C" __device__ __attribute__((used)) void __ptxsan_memtrace_access(uint64_t addr, uint32_t site) {
  State &s = __ptxsan_memtrace_state;
  if (s.records == 0) return;
  uint32_t lanes = __activemask();
  uint32_t lane = __nvvm_read_ptx_sreg_laneid() & 31;
  int leader = __ffs(lanes) - 1;
  unsigned long long index = 0;
  if (lane == leader) index = atomicAdd(&s.next, 1ull);
  uint32_t low = __shfl_sync(lanes, (int)index, leader);
  uint32_t high = __shfl_sync(lanes, (int)(index >> 32), leader);
  index = (unsigned long long)high << 32 | low;
  if (index >= s.capacity) return;
  Record *r = (Record *)s.records + index;
  r->addresses[lane] = addr;
  if (lane != leader) return;
  r->site = site;
  r->lanes = lanes;
  r->block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  r->warp = (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}
