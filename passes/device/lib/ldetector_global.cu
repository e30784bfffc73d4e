// The LDetector device library for global arrays ("LDetector: A Low Overhead Race Detector For
// GPU Programs", WoDet 2014, section 4.4): blocks in place of warps, and the whole kernel in place
// of a synchronized block.
//
// generate.sh compiles this file to the committed ldetector_global.ptx.
#include "cuda_builtins.h"
#include "ldetector_global_abi.h"

__device__ Globals __ptxsan_ldetector_globals;

static_assert(sizeof(Global) == LDETECTOR_GLOBAL_BYTES);
static_assert(sizeof(Watch) == LDETECTOR_WATCH_BYTES);
static_assert(sizeof(Globals) == LDETECTOR_GLOBALS_BYTES);

static __device__ __forceinline__ uint64_t blockIndex() { return blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z); }

// note adds a site to a list, and the thread if it is the first one.
static __device__ __noinline__ void note(uint32_t *sites, uint32_t *thread, uint32_t site) {
  for (uint32_t i = 0; i < LDETECTOR_WATCH_SITES; i++) {
    uint32_t was = atomicCAS(sites + i, 0u, site);
    if (was == 0 && i == 0) *thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    if (was == 0 || was == site) return;
  }
}

// touch is an access of array i in an execution that looks for those that race.
static __device__ __noinline__ void touch(uint32_t i, uint64_t address, uint32_t site, uint32_t bytes, bool writes) {
  Globals &g = __ptxsan_ldetector_globals;
  uint64_t block = blockIndex();
  if (g.mode == LDETECTOR_PROBE && !writes) {
    const Global &a = g.arrays[i];
    uint64_t from = address - a.base;
    for (uint64_t k = from; k < from + bytes && k < a.size; k++) {
      uint32_t owner = ((const uint32_t *)a.owners)[k];
      if (owner != 0 && owner != block + 1)
        atomicMin((unsigned long long *)&g.met, (unsigned long long)((uint64_t)i << LDETECTOR_MET_ARRAY_BIT | k << LDETECTOR_MET_OFFSET_BIT | block));
    }
  }
  if (g.mode != LDETECTOR_NOTE) return;
  for (uint32_t n = 0; n < g.watched; n++) {
    Watch &w = g.watches[n];
    if (address >= w.address + w.bytes || address + bytes <= w.address) continue;
    if (block == w.first && writes) note(w.first_sites, &w.first_thread, site);
    if (block == w.second && writes == (w.writes != 0)) note(w.second_sites, &w.second_thread, site);
  }
}

// Before an access of other than shared memory: the address in the block's copy (Table 2), or the
// one that is given when there is none. info has the bytes accessed, and in bit 8 whether it writes.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_ldetector_expand(uint64_t address, uint32_t site, uint32_t info) {
  const Globals &g = __ptxsan_ldetector_globals;
  for (uint32_t i = 0; i < g.count; i++) {
    const Global &a = g.arrays[i];
    if (address - a.base >= a.size) continue;
    if (g.mode != 0) touch(i, address, site, info & 255, info >> 8 & 1);
    return a.copies + blockIndex() * a.stride + (address - a.base);
  }
  return address;
}
