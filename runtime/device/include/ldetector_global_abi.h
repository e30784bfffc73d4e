// Data formats of the LDetector device library for global arrays. runtime/abi/ldetector_global.go
// states the same facts in Go; a test there compares every enumerator.
#pragma once

enum : unsigned {
  LDETECTOR_GLOBALS = 64,
  LDETECTOR_GLOBAL_BYTES = 32,
  LDETECTOR_GLOBALS_BYTES = 2064,
};

// Global is an array in global memory of which each block has a copy.
struct Global {
  uint64_t base, size; // of the original
  uint64_t copies;     // of the first block's; those of the others follow
  uint64_t stride;     // from copy to copy
};

// Globals is the variable __ptxsan_ldetector_globals, filled by the host before a launch.
struct __align__(16) Globals {
  uint64_t count; // of arrays
  uint64_t unused;
  Global arrays[LDETECTOR_GLOBALS];
};
