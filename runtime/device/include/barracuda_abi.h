// Data formats of the BARRACUDA device library. runtime/abi/barracuda.go states the
// same facts in Go, with the explanations; a test there compares every enumerator.
// Change both, and BARRACUDA_ABI_VERSION, together.
#pragma once

enum : unsigned {
  BARRACUDA_ABI_VERSION = 2,
  BARRACUDA_STATE_BYTES = 48,
  BARRACUDA_QUEUE_BYTES = 128,
  BARRACUDA_RECORD_BYTES = 304,
  BARRACUDA_LANES = 32,

  // Queue.
  BARRACUDA_QUEUE_HEAD = 0,
  BARRACUDA_QUEUE_COMMIT = 8,
  BARRACUDA_QUEUE_READ = 64,

  // Record.info, and the low half of the argument what of the hooks.
  BARRACUDA_KIND_BITS = 8,
  BARRACUDA_BYTES_SHIFT = 8,
  BARRACUDA_BYTES_BITS = 8,
  BARRACUDA_SCOPE_SHIFT = 16,
  BARRACUDA_SCOPE_BITS = 3,
  BARRACUDA_SPACE_SHIFT = 19,
  BARRACUDA_SPACE_BITS = 2,
  BARRACUDA_ACQUIRE_BIT = 21,
  BARRACUDA_RELEASE_BIT = 22,
  BARRACUDA_VALUED_BIT = 23,
  BARRACUDA_STRONG_BIT = 24,
  BARRACUDA_REACH_SHIFT = 25,
  BARRACUDA_REACH_BITS = 3,
  BARRACUDA_SPACE_OTHER = 0,
  BARRACUDA_SPACE_GLOBAL = 1,
  BARRACUDA_SPACE_SHARED = 2,

  // The barrier of the cluster, in the upper half of Record.extra.
  BARRACUDA_CLUSTER = 65535,

  // Kinds of records. Up to BARRACUDA_SYNC they have addresses.
  BARRACUDA_READ = 1,
  BARRACUDA_WRITE = 2,
  BARRACUDA_ATOMIC = 3,
  BARRACUDA_ATOMIC_READ = 4,
  BARRACUDA_SYNC = 5,
  BARRACUDA_IF = 6,
  BARRACUDA_FI = 7,
  BARRACUDA_WARP_LANES = 8,
  BARRACUDA_ARRIVE = 9,
  BARRACUDA_GO = 10,
  BARRACUDA_PASS = 11,
  BARRACUDA_FENCED = 12,
  BARRACUDA_STARTED = 13,
  BARRACUDA_EXITED = 14,
};

// Queue is the three indices of a queue of records.
struct Queue {
  unsigned long long head;   // write head: records reserved
  unsigned long long commit; // records that the host may read
  unsigned long long unused[6];
  unsigned long long read;   // read head: records that the host has read
  unsigned long long unused_too[7];
};

// State is the variable __ptxsan_barracuda_state, filled by the host before a launch.
// In a module that no host has prepared every hook is off.
struct __align__(16) State {
  uint64_t queues;           // Queue[count]
  uint64_t records;          // Record[count << capacity]
  unsigned long long ticket; // the last one given
  uint32_t count;
  uint32_t capacity;         // log2 of the records of a queue
  uint32_t version;          // BARRACUDA_ABI_VERSION, from the start
};

// Record is one operation of the lanes of a warp that executed it together.
struct __align__(16) Record {
  uint32_t info;
  uint32_t site;
  uint32_t mask;
  uint32_t extra;
  uint64_t thread; // linear index in the grid of the warp's lane 0
  uint64_t ticket;
  uint32_t sequence; // low half of the record's index and one, when it is complete
  uint32_t unused[3];
  uint64_t addresses[BARRACUDA_LANES];
};
