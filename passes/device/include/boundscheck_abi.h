// Data formats of the boundscheck device library. runtime/abi/bounds.go states the
// same facts in Go; a test there compares every enumerator. Change both, and
// BOUNDS_ABI_VERSION, together.
#pragma once

enum : unsigned {
  BOUNDS_ABI_VERSION = 1,
  BOUNDS_STATE_BYTES = 32,
  BOUNDS_ENTRY_BYTES = 16,
  BOUNDS_RECORD_BYTES = 24,
  BOUNDS_INFO_SIZE_BITS = 8,
  BOUNDS_INFO_WRITE_BIT = 8,
};

// State is the variable __ptxsan_boundscheck_state, filled by the host before a
// launch. In a module that no host has prepared the check is off.
struct __align__(16) State {
  uint64_t table;   // Entry[entries], ascending
  uint64_t entries;
  uint64_t records; // Record[sites + 1], by site
  uint32_t sites;
  uint32_t version; // BOUNDS_ABI_VERSION, from the start
};

// Entry is one allocation.
struct Entry {
  uint64_t first, end;
};

// Record is what is known of a site: how many accesses were out of bounds, and the
// first of them.
struct Record {
  uint32_t count;
  uint32_t thread; // linear index in the block
  uint32_t block;  // linear index in the grid
  uint32_t unused;
  uint64_t address;
};
