// Data formats of the LDetector device library for global arrays. runtime/abi/ldetector_global.go
// states the same facts in Go; a test there compares every enumerator.
#pragma once

enum : unsigned {
  LDETECTOR_GLOBALS = 64,
  LDETECTOR_GLOBAL_BYTES = 40,
  LDETECTOR_WATCHES = 8,
  LDETECTOR_WATCH_SITES = 8,
  LDETECTOR_WATCH_BYTES = 104,
  LDETECTOR_GLOBALS_BYTES = 3424,

  LDETECTOR_PROBE = 1,
  LDETECTOR_NOTE = 2,
  LDETECTOR_MET_OFFSET_BIT = 28,
  LDETECTOR_MET_ARRAY_BIT = 58,
};

// Global is an array in global memory of which each block has a copy.
struct Global {
  uint64_t base, size; // of the original
  uint64_t copies;     // of the first block's; those of the others follow
  uint64_t stride;     // from copy to copy
  uint64_t owners;     // LDETECTOR_PROBE: a uint32_t for each byte, 1 + the block that has changed it
};

// Watch is bytes whose accesses by two blocks are noted.
struct Watch {
  uint64_t address, bytes;
  uint32_t first, second; // blocks: the first one writes
  uint32_t writes;        // not 0: so does the second one; 0: it reads
  uint32_t unused;
  uint32_t first_thread, second_thread; // of the first accesses noted
  uint32_t first_sites[LDETECTOR_WATCH_SITES], second_sites[LDETECTOR_WATCH_SITES]; // 0 for none
};

// Globals is the variable __ptxsan_ldetector_globals, filled by the host before a launch.
struct __align__(16) Globals {
  uint64_t count;   // of arrays
  uint32_t mode;    // LDETECTOR_PROBE: who reads what another block has changed? LDETECTOR_NOTE: accesses of watches are noted
  uint32_t watched; // number of watches
  uint64_t met;     // LDETECTOR_PROBE: the least of array, offset of a byte and block that reads it; all ones: none
  uint64_t unused;
  Global arrays[LDETECTOR_GLOBALS];
  Watch watches[LDETECTOR_WATCHES];
};
