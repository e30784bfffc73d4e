// The log of LDetector: what a second pass must find as it was. For lib/ldetector.cu; section
// numbers are those of the paper that it names.
#pragma once
#include "ldetector_block.h"

// -----------------------------------------------------------------------------
// The log: what other memory held before the stores of a pass (4.2, Initialization).

INLINE LogRow *logOf(const State &s, uint32_t warp) { return (LogRow *)s.log + ((uint64_t)blockIndex() * s.warps + warp) * s.log_rows; }

INLINE uint64_t load(uint64_t address, uint32_t bytes) {
  switch (bytes) {
  case 1: return *(const uint8_t *)address;
  case 2: return *(const uint16_t *)address;
  case 4: return *(const uint32_t *)address;
  default: return *(const uint64_t *)address;
  }
}

INLINE void store(uint64_t address, uint32_t bytes, uint64_t value) {
  switch (bytes) {
  case 1: *(uint8_t *)address = value; break;
  case 2: *(uint16_t *)address = value; break;
  case 4: *(uint32_t *)address = value; break;
  default: *(uint64_t *)address = value;
  }
}

// Before a store of at most 16 bytes to global or local memory, in the lanes that store. The
// lanes that are here together take one row for every eight bytes.
HOOK(void) __ptxsan_ldetector_log(uint64_t address, uint32_t bytes) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks == 0) return;
  Who me;
  uint32_t *rows = &blockOf(s)->rows[me.warp];
  LOOP for (; bytes != 0; address += LDETECTOR_LOG_VALUE_BYTES) {
    if (*(volatile uint32_t *)rows > s.log_rows) return; // full, or nothing is logged
    uint32_t lanes = __activemask(), leader = __ffs(lanes) - 1, part = min(bytes, (unsigned)LDETECTOR_LOG_VALUE_BYTES), row = 0;
    if (me.lane == leader) row = atomicAdd(rows, 1u);
    row = __shfl_sync(lanes, (int)row, leader);
    if (row >= s.log_rows) return;
    LogRow *r = logOf(s, me.warp) + row;
    if (me.lane == leader) r->lanes = lanes, r->bytes = part;
    r->address[me.lane] = address;
    r->old[me.lane] = load(address, part);
    bytes -= part;
  }
}

// Before a store to global or local memory in a called function, in the lanes that store: its address
// and value, as one word.
HOOK(void) __ptxsan_ldetector_stored(uint64_t digest) {
  const State &s = __ptxsan_ldetector_state;
  if (s.blocks == 0) return;
  Digest *d = (Digest *)blockOf(s)->digests + Who().thread;
  digest = (d->called ^ digest) * 0x9e3779b97f4a7c15ull;
  d->called = digest ^ digest >> 29;
}

// restore undoes the stores of a pass, the last one first; rows has the number of rows in the
// log of each warp.
OPERATION(void) __ptxsan_ldetector_restore(uint32_t *rows) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  me.meet();
  LOOP for (uint32_t row = rows[me.warp]; row-- > 0;) {
    const LogRow *r = logOf(s, me.warp) + row;
    if (r->lanes >> me.lane & 1) store(r->address[me.lane], r->bytes, r->old[me.lane]);
    me.meet();
  }
  if (me.lane == 0) rows[me.warp] = 0;
}

// overflown reports whether more has been stored in this pass than the log holds.
INLINE bool overflown(const State &s, const Block *b, const Who &me) { return barrierOr(b->rows[me.warp] > s.log_rows); }
