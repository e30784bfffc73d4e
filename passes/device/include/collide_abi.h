// Data formats of the collide device library. runtime/abi/collide.go states the same facts in Go; a test there compares every
// enumerator. Change both, and COLLIDE_ABI_VERSION, together.
#pragma once

enum : unsigned {
  COLLIDE_ABI_VERSION = 2,
  COLLIDE_STATE_BYTES = 64,
  COLLIDE_WATCHES = 4096,
  COLLIDE_WATCH_BYTES = 16,
  COLLIDE_RACES = 1024,
  COLLIDE_RACE_BYTES = 64,
  COLLIDE_NEVER = 2147483647,
  COLLIDE_YOUNG = 256,
  COLLIDE_RAREST = 6,
  // Info of an access: the bytes accessed, and bits.
  COLLIDE_INFO_SIZE_BITS = 8,
  COLLIDE_INFO_WRITES_BIT = 8,
  COLLIDE_INFO_STRENGTH_SHIFT = 9, // two bits: 0 weak, and
  COLLIDE_NARROW = 1,              // strong within its block
  COLLIDE_WIDE = 2,                // strong within a wider scope
  COLLIDE_INFO_PASSING_BIT = 11,   // its watch ends before it: it may end later than its instruction
  // Bits of the first word of a watch, which is the granule of four bytes.
  COLLIDE_WATCH_ARMED = 1,
  COLLIDE_WATCH_WRITES = 2,
  COLLIDE_WATCH_STRENGTH_SHIFT = 60,
  // Fields of the second word of a watch: who is there.
  COLLIDE_WHO_BLOCK_SHIFT = 34,
  COLLIDE_WHO_SITE_SHIFT = 14,
  COLLIDE_WHO_SITE_BITS = 20,
  COLLIDE_WHO_BYTES_SHIFT = 10,
  // Fields of the key of a race.
  COLLIDE_KEY_USED_BIT = 63,
  COLLIDE_KEY_MET_BIT = 62,
  COLLIDE_KEY_SHARED_BIT = 61,
  COLLIDE_KEY_KIND_SHIFT = 40,
  COLLIDE_KEY_FIRST_SHIFT = 20,
  COLLIDE_KIND_WARP = 0,
  COLLIDE_KIND_BLOCK = 1,
  COLLIDE_KIND_GRID = 2,
};

// The first word of a watch in shared memory: its block and the offset there of the granule.
#define COLLIDE_SHARED (1ull << 63)
#define COLLIDE_SHARED_BLOCK_SHIFT 24
#define COLLIDE_SHARED_MASK 0xfffffcull

// State is the variable __ptxsan_collide_state, filled by the host before a launch. In a module that no host has prepared the
// detector is off.
struct __align__(16) State {
  uint64_t watches; // two words each
  uint64_t races;   // Race[COLLIDE_RACES]
  uint64_t arms;    // uint32_t[sites + 1]: how often accesses of a site were armed; the highest bit: with a race
  uint32_t period;  // accesses between two that are sampled, on average
  uint32_t seed;
  uint32_t wait;    // nanoseconds of one wait
  uint32_t rounds;  // waits of an access
  uint32_t warm;    // accesses that are sampled before the period holds
  uint32_t calls;   // sampled accesses so far; written by the library
  uint32_t found;   // races in use; written by the library
  uint32_t dropped; // races that found no room; written by the library
  uint32_t sites;
  uint32_t version; // COLLIDE_ABI_VERSION, from the start
};

// Race is a pair of sites with its first occurrence. The first side is unknown in a race that only a change of the value shows.
struct Race {
  uint64_t key;
  uint64_t address; // in the window of shared memory for shared memory
  uint64_t before, after;
  uint32_t first_thread, first_block; // linear indices
  uint32_t second_thread, second_block;
  uint32_t count, size;
  uint64_t unused;
};
