// Data formats of the iGUARD device library: what the library (lib/iguard.cu), the
// host half (runtime/detect) and the pass (passes/iguard) agree on.
//
// runtime/abi/iguard.go states the same facts in Go, with the explanations; a test
// there parses this file and compares every enumerator. Change both, and
// IGUARD_ABI_VERSION, together.
#pragma once

enum : unsigned {
  IGUARD_ABI_VERSION = 13,

  // Memory metadata: one entry of three sides per granule, of two 64-bit words each. The accessors of all
  // entries are followed by the writers of all, and these by the sharers. Sides are in runs: the first
  // words of all sides of a run, then the second words.
  IGUARD_ENTRY_BYTES = 48,
  IGUARD_SIDE_BYTES = 16,
  IGUARD_RUN_LOG2 = 8, // sides of a run

  // Sides of an entry.
  IGUARD_ACCESSOR = 0,
  IGUARD_WRITER = 1,
  IGUARD_SHARER = 2,

  // First word of a side: block, site, and in the accessor's the entry's flags.
  IGUARD_ID_BLOCK_BITS = 32,
  IGUARD_ID_SITE_SHIFT = 32,
  IGUARD_ID_SITE_BITS = 24,
  IGUARD_FLAG_VALID_BIT = 56,
  IGUARD_FLAG_MODIFIED_BIT = 57,
  IGUARD_FLAG_BLKSHARED_BIT = 58,
  IGUARD_FLAG_DEVSHARED_BIT = 59,
  IGUARD_FLAG_LOADED_BIT = 60, // since the last store, by another thread than the writer
  IGUARD_FLAG_BUSY_BIT = 63,

  // Second word of a side: thread and synchronisation status at the access. What most
  // checks compare is in the low half. The tag is in the accessor's only.
  IGUARD_SYNC_THREAD_SHIFT = 0,
  IGUARD_SYNC_THREAD_BITS = 10,
  IGUARD_SYNC_BLKBAR_SHIFT = 10,
  IGUARD_SYNC_BLKBAR_BITS = 8,
  IGUARD_SYNC_WARPBAR_SHIFT = 18,
  IGUARD_SYNC_WARPBAR_BITS = 6,
  IGUARD_SYNC_DEVFENCE_SHIFT = 24,
  IGUARD_SYNC_DEVFENCE_BITS = 6,
  IGUARD_SYNC_ATOMIC_BIT = 30,
  IGUARD_SYNC_BLOCKSCOPE_BIT = 31,
  IGUARD_SYNC_BLKFENCE_SHIFT = 32,
  IGUARD_SYNC_BLKFENCE_BITS = 6,
  IGUARD_SYNC_LOCKS_SHIFT = 38,
  IGUARD_SYNC_LOCKS_BITS = 16,
  IGUARD_SYNC_BLOCKLOCKS_BIT = 54,
  IGUARD_SYNC_TAG_SHIFT = 55,
  IGUARD_SYNC_TAG_BITS = 9,

  // Lock table: three entries of 21 bits and the isThread bit in 64 bits, then the summary of the
  // locks held as in the high half of a sync word, and 32 bits unused. The summary of a
  // warp has the isThread bit in bit 31.
  IGUARD_LOCK_BYTES = 16,
  IGUARD_LOCK_ENTRIES = 3,
  IGUARD_LOCK_ENTRY_BITS = 21,
  IGUARD_LOCK_HASH_BITS = 18,
  IGUARD_LOCK_BLOCKSCOPE_BIT = 18,
  IGUARD_LOCK_ACTIVE_BIT = 19,
  IGUARD_LOCK_VALID_BIT = 20,
  IGUARD_LOCK_ISTHREAD_BIT = 63,

  // The info argument of the access hooks.
  IGUARD_INFO_SIZE_BITS = 8,
  IGUARD_INFO_ATOMIC_BIT = 30, // this and the next as in a sync word
  IGUARD_INFO_BLOCKSCOPE_BIT = 31,
  IGUARD_INFO_CAS_BIT = 10,
  IGUARD_INFO_EXCH_BIT = 11,
  IGUARD_INFO_GENERIC_BIT = 12,
  IGUARD_INFO_WIDE_BIT = 13,
  IGUARD_INFO_ALONE_BIT = 14,

  // State.options.
  IGUARD_OPTION_LOCKS = 1,
  IGUARD_OPTION_ITS = 2,
  IGUARD_OPTION_SCOPE = 4,
  IGUARD_OPTION_LOCKSCOPE = 8,
  IGUARD_OPTION_STOP = 16,
  IGUARD_OPTION_CUMULATIVE = 32,

  // State.uses: what the launch has used so far.
  IGUARD_USES_LOCKS = 1,
  IGUARD_USES_BARRIERS = 2,
  IGUARD_USES_STOP = 4,    // a race, after which nothing is checked
  IGUARD_USES_NOTHING = 8, // no host has prepared the detector
  IGUARD_USES_TAGS = 16,   // several granules may share an entry of global memory; set by the host

  // State.warpfences: two words per warp, of its last device fence and of its last fence.
  // A word is the warp barriers before it, and a bit that there was one.
  IGUARD_WARPFENCES = 2,
  IGUARD_WARPFENCE_VALID = 64,
  // State.blockfences: of a block's last device fence the block barriers before it, and
  // a bit that there was one.
  IGUARD_BLOCKFENCE_VALID = 256,

  // The first wait of the back-off, in nanoseconds.
  IGUARD_BACKOFF_NS = 32,

  // Race records: 1 MB in all.
  IGUARD_RACE_BYTES = 64,
  IGUARD_RACE_COUNT_LOG2 = 14,
  IGUARD_RACE_PROBES = 32,

  // Race.key: valid bit, rule (1 to 5 for R1 to R5), kind, sites of both sides.
  IGUARD_KEY_SECOND_SHIFT = 0,
  IGUARD_KEY_FIRST_SHIFT = 24,
  IGUARD_KEY_KIND_SHIFT = 48,
  IGUARD_KEY_KIND_BITS = 2,
  IGUARD_KEY_RULE_SHIFT = 50,
  IGUARD_KEY_VALID_BIT = 63,
  IGUARD_KIND_INTRA_WARP = 0,
  IGUARD_KIND_INTRA_BLOCK = 1,
  IGUARD_KIND_INTER_BLOCK = 2,

  // Race.detail: what the earlier thread did after its access, insufficient as it was.
  IGUARD_DETAIL_BLKFENCE_CHANGED = 1,
  IGUARD_DETAIL_BLKBAR_CHANGED = 2,
};

// State is the variable __ptxsan_iguard_state, filled by the host before a launch.
// In a module that no host has prepared only version and uses are not zero: every hook is off.
struct __align__(16) State {
  // What every check reads.
  uint32_t index_mask;    // number of entries - 1; a power of two less one
  uint32_t slot_granules; // granules of an address slot of 4 GiB that are in the table
  uint32_t granule_shift; // log2 of the bytes per granule
  uint32_t uses;          // IGUARD_USES_*; written by the library, too
  uint64_t entries;       // memory metadata
  // What the others read.
  uint64_t counters;        // uint64_t per thread of the grid: the counters of a sync word
  uint32_t block_bytes;     // bytes of a block's counters
  uint32_t options;         // IGUARD_OPTION_*
  uint64_t blockbars;       // uint32_t per block: partial block barriers
  uint64_t warpbars;        // uint32_t per warp: partial warp barriers
  uint64_t warplocks;       // lock table per warp
  uint64_t threadlocks;     // lock table per thread
  uint64_t races;           // Race[1 << IGUARD_RACE_COUNT_LOG2]
  uint64_t blockfences;     // uint32_t per block: its last device fence
  uint64_t warpfences;      // uint32_t[IGUARD_WARPFENCES] per warp: its last fences
  uint64_t counter_bits;    // bits of a sync word that its counters use
  uint32_t slot_shift;      // bits of a granule's number below its slot number; 63 without slots
  uint32_t index_bits;      // log2 of the number of entries
  uint32_t dropped;         // races that found no free record; written by the library
  uint32_t version;         // IGUARD_ABI_VERSION, from the start
  uint32_t backoff_limit;   // longest wait for a locked entry, in nanoseconds; 0: IGUARD_BACKOFF_NS
  uint32_t block_threads;   // threads of a block
  uint32_t block_warps;     // warps of a block
  uint32_t found;           // records of races in use; written by the library
};

// Race is one racing pair of sites, with the threads and the metadata of its first
// occurrence.
struct Race {
  uint64_t key;                       // 0 in a free record
  uint64_t address;                   // of the first common byte, to the granule
  uint64_t first_sync, second_sync;   // second word of either side
  uint32_t first_block, second_block; // linear block index
  uint32_t count;                     // occurrences
  uint32_t detail;                    // IGUARD_DETAIL_*
  uint32_t size;                      // bytes that the second side accesses
  uint32_t unused[3];
};
