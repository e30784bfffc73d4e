// Data formats of the LDetector device library. runtime/abi/ldetector.go states the
// same facts in Go; a test there compares every enumerator. Change both, and
// LDETECTOR_ABI_VERSION, together.
#pragma once

enum : unsigned {
  LDETECTOR_ABI_VERSION = 2,
  LDETECTOR_STATE_BYTES = 160,
  LDETECTOR_BLOCK_BYTES = 576,
  LDETECTOR_DIGEST_BYTES = 24,
  LDETECTOR_RACE_BYTES = 128,
  LDETECTOR_LOG_ROW_BYTES = 528,
  LDETECTOR_LOG_VALUE_BYTES = 8,
  LDETECTOR_PAD = 128,
  LDETECTOR_LANES = 32,
  LDETECTOR_RACE_SITES = 8,

  LDETECTOR_NONE = 4294967295,

  LDETECTOR_OPTION_CONTINUE = 1,
  LDETECTOR_OPTION_STOP = 2,
  LDETECTOR_OPTION_OUTPUTS = 4,
  LDETECTOR_OPTION_LOCATE = 8,
  LDETECTOR_OPTION_SITES = 16,

  LDETECTOR_BEGIN_CHECKED = 1,
  LDETECTOR_BEGIN_IDLE = 2,
  LDETECTOR_END_EXIT = 1,
  LDETECTOR_END_SPECULATIVE = 2,

  LDETECTOR_GO = 0,
  LDETECTOR_LEAVE = 1,
  LDETECTOR_AGAIN = 2,
  LDETECTOR_WATCH = 3,
  LDETECTOR_LAUNCH = 8,

  LDETECTOR_TOUCH_BYTES_BITS = 8,
  LDETECTOR_TOUCH_WRITE_BIT = 8,

  LDETECTOR_KIND_WRITE_WRITE = 1,
  LDETECTOR_KIND_READ_WRITE = 2,

  LDETECTOR_LEFT_SHARED = 1,
  LDETECTOR_LEFT_REGISTERS = 2,
  LDETECTOR_LEFT_STORES = 4,
};

// State is the variable __ptxsan_ldetector_state, filled by the host before a launch. In
// a module that no host has prepared (blocks is 0) no region is checked.
struct __align__(16) State {
  uint32_t version;       // LDETECTOR_ABI_VERSION, from the start
  uint32_t options;       // LDETECTOR_OPTION_*
  uint64_t blocks;        // memory of the blocks: by linear index, block_stride bytes each, zeros
  uint64_t block_stride;  // Block, at digests_at the Digests, then the workspace unless it is shared
  uint32_t digests_at;    // offset of Digest[threads] in a block's memory
  uint32_t workspace_at;  // offset of the workspace in a block's memory; LDETECTOR_NONE: it is shared
  uint32_t shared_at;     // offset of a shared workspace from the start of dynamic shared memory
  uint32_t dynamic_bytes; // dynamic shared memory of the user's launch, without the workspace
  uint32_t segment_bytes; // room for one copy, a multiple of LDETECTOR_PAD
  uint32_t union_at;      // offset of the union copy in the workspace
  uint32_t bitmap_at;     // offset of the bitmap: one bit for each byte of the segment
  uint32_t owners_at;     // offset of one byte for each byte of the segment; LDETECTOR_NONE: there are none
  uint32_t copies_at;     // offset of the warps' copies, segment_bytes each
  uint32_t threads;       // of a block
  uint32_t warps;         // of a block
  uint32_t log_rows;      // rows of a warp in log; 0: there is no log
  uint64_t log;           // LogRow[blocks][warps][log_rows]
  uint64_t races;         // Race[max_races]
  uint32_t max_races;
  uint32_t found;         // records asked for; more than max_races when some were dropped
  uint32_t stopped;       // with LDETECTOR_OPTION_STOP: there was a race, blocks leave
  uint32_t checked;       // executions of regions that were checked, by all blocks
  uint32_t skipped;       // ... that were not
  uint32_t unlogged;      // ... that were executed once, because the log was full
  uint32_t unstable;      // ... whose outputs differ without a merge of copies, too
  uint32_t too_large;     // ... whose segment is larger than segment_bytes
  uint64_t regions;       // uint32_t for each region number: not 0 when a race was found there
  uint32_t slots;         // speculation (section 5): Blocks of a block, with all that belongs to them; else 1
  uint32_t slot_stride;   // from one to the next
  uint32_t registers_at;  // offset of the threads' registers from a Block, register_bytes each: the region's number, then the registers
  uint32_t register_bytes;
  uint32_t kept_at;       // offset of the original copy that a child grid reads
  uint32_t speculated;    // executions of regions whose second pass was a child grid's
  uint32_t unused[2];
};

// Digest is what leaves a thread at the end of a region, of the pass before.
struct Digest {
  uint64_t registers, stores;
  uint64_t called; // stores of called functions, of the pass so far
};

// LogRow is one store of some lanes of a warp.
struct LogRow {
  uint32_t lanes; // bit i: lane i stores
  uint32_t bytes; // of each store, 1 to 8
  uint64_t unused;
  uint64_t address[LDETECTOR_LANES]; // generic
  uint64_t old[LDETECTOR_LANES];     // what was there, zero-extended
};

// Race is one record.
struct Race {
  uint32_t kind;                // LDETECTOR_KIND_*, written last; 0: not complete
  uint32_t region, end;         // numbers of the pass's
  uint32_t block;               // linear index in the grid
  uint32_t first, second;       // warps; the first is the one that writes (write-write: the lower), LDETECTOR_NONE when not known
  uint32_t address;             // of the first byte, in the shared window
  uint32_t bytes;               // 0: the place is not known
  uint32_t left;                // read-write: LDETECTOR_LEFT_*, where the outputs of the second warp differ
  uint32_t thread;              // read-write: the first thread of the block whose outputs differ
  uint32_t passes;              // executions of the region until the record was made
  uint32_t count;               // executions of the region with this race, of all blocks
  uint32_t first_thread;        // of the block, that made the access of first_sites[0]
  uint32_t second_thread;       // ... of second_sites[0]
  uint32_t unused[2];
  uint32_t first_sites[LDETECTOR_RACE_SITES];  // accesses of the first warp that touch the bytes, as found; 0 for none
  uint32_t second_sites[LDETECTOR_RACE_SITES]; // ... of the second warp
};
