// The LDetector device library for global arrays ("LDetector: A Low Overhead Race Detector For
// GPU Programs", WoDet 2014, section 4.4): blocks in place of warps, and the whole kernel in place
// of a synchronized block.
//
// generate.sh compiles this file to the committed ldetector_global.ptx.
#include "cuda_builtins.h"
#include "ldetector_global_abi.h"

__device__ Globals __ptxsan_ldetector_globals;

static_assert(sizeof(Global) == LDETECTOR_GLOBAL_BYTES);
static_assert(sizeof(Globals) == LDETECTOR_GLOBALS_BYTES);

// Before an access of other than shared memory: the address in the block's copy (Table 2), or the
// one that is given when there is none.
extern "C" __device__ __attribute__((used)) uint64_t __ptxsan_ldetector_expand(uint64_t address) {
  const Globals &g = __ptxsan_ldetector_globals;
  for (uint32_t i = 0; i < g.count; i++) {
    const Global &a = g.arrays[i];
    if (address - a.base >= a.size) continue;
    uint64_t block = blockIdx.x + (uint64_t)gridDim.x * (blockIdx.y + (uint64_t)gridDim.y * blockIdx.z);
    return a.copies + block * a.stride + (address - a.base);
  }
  return address;
}
