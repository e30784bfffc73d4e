// Data formats of the memtrace device library. runtime/abi/memtrace.go states the
// same facts in Go; a test there compares every enumerator. Change both, and
// MEMTRACE_ABI_VERSION, together.
#pragma once

enum : unsigned {
  MEMTRACE_ABI_VERSION = 1,
  MEMTRACE_STATE_BYTES = 32,
  MEMTRACE_RECORD_BYTES = 272,
  MEMTRACE_LANES = 32,
};

// State is the variable __ptxsan_memtrace_state, filled by the host before a
// launch. In a module that no host has prepared the hook is off.
struct __align__(16) State {
  uint64_t records;  // Record[capacity]
  uint64_t capacity;
  unsigned long long next; // records asked for
  uint32_t version;  // MEMTRACE_ABI_VERSION, from the start
  uint32_t unused;
};

// Record is one access by the lanes of a warp that executed it together.
struct Record {
  uint32_t site;
  uint32_t lanes; // bit i: lane i accessed addresses[i]
  uint32_t block; // linear index in the grid
  uint32_t warp;  // in the block
  uint64_t addresses[MEMTRACE_LANES];
};
