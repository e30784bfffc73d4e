// Data formats of the BARRACUDA device library. runtime/abi/barracuda.go states the
// same facts in Go, with the explanations; a test there compares every enumerator.
// Change both, and BARRACUDA_ABI_VERSION, together.
#pragma once

enum : unsigned {
  BARRACUDA_ABI_VERSION = 3,
  BARRACUDA_STATE_BYTES = 48,
  BARRACUDA_QUEUE_BYTES = 128,
  BARRACUDA_RECORD_BYTES = 288,
  BARRACUDA_LANES = 32,

  // Queue.
  BARRACUDA_QUEUE_HEAD = 0,
  BARRACUDA_QUEUE_READ = 64,
  BARRACUDA_QUEUE_LAST = 68,

  // Record.
  BARRACUDA_RECORD_TICKET = 24,
  BARRACUDA_RECORD_ADDRESSES = 32,

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

// Queue is the indices of a queue of records, which follow it in memory. They only grow, and
// begin again at 0 after 2^32.
struct Queue {
  uint32_t head; // write head: records reserved
  uint32_t unused[15];
  uint32_t read; // read head: records that the host has consumed
  uint32_t last; // records that fit, a power of two, less one
  uint32_t unused_too[14];
};

// State is the variable __ptxsan_barracuda_state, filled by the host before a launch.
// In a module that no host has prepared every hook is off.
struct __align__(16) State {
  uint64_t queues;           // the first Queue
  uint64_t stride;           // bytes from one to the next
  unsigned long long ticket; // the next one
  uint32_t count;            // of queues
  uint32_t unused;
  uint32_t version; // BARRACUDA_ABI_VERSION, from the start
};

// Record is one operation of the lanes of a warp that executed it together.
struct __align__(16) Record {
  uint32_t info;
  uint32_t site;
  uint32_t mask;
  uint32_t extra;
  uint64_t thread; // linear index in the grid of the warp's first lane in mask
  uint64_t ticket; // written last
  uint64_t addresses[BARRACUDA_LANES];
};
