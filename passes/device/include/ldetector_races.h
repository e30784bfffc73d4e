// The race records of LDetector, and which accesses meet in the bytes of a race. For
// lib/ldetector.cu; section numbers are those of the paper that it names.
#pragma once
#include "ldetector_block.h"

// -----------------------------------------------------------------------------
// Race records.

// record counts a race in the record of its like, or makes one.
FUNCTION void record(Block *b, uint32_t kind, uint32_t first, uint32_t second, uint32_t offset, uint32_t bytes) {
  State &s = __ptxsan_ldetector_state;
  uint32_t address = bytes == 0 ? 0 : b->base + offset, words[] = {kind, b->region, address, bytes, first, second};
  unsigned long long key = 0;
  LOOP for (uint32_t w : words)
    key = (key ^ w) * 0x9e3779b97f4a7c15ull, key ^= key >> 29;
  key |= 1;
  if (s.options & LDETECTOR_OPTION_STOP) s.stopped = 1;
  if (s.regions) ((volatile uint32_t *)s.regions)[b->region] = 1;
  LOOP for (uint32_t probe = 0; probe < s.max_races; probe++) {
    uint32_t index = (key + probe) % s.max_races;
    Race *r = (Race *)s.races + index;
    unsigned long long was = atomicCAS((unsigned long long *)r->unused, 0ull, key);
    if (was != 0 && was != key) continue;
    if (was == 0) {
      atomicAdd(&s.found, 1u);
      bool read = kind == LDETECTOR_KIND_READ_WRITE;
      r->region = b->region, r->end = b->end, r->block = b->index;
      r->first = first, r->second = second, r->address = address, r->bytes = bytes;
      r->left = read ? b->left : 0, r->thread = read ? b->thread : LDETECTOR_NONE, r->passes = b->pass;
      __threadfence();
      *(volatile uint32_t *)&r->kind = kind;
      uint32_t n = bytes == 0 ? LDETECTOR_RACE_SITES : atomicAdd(&b->records, 1u);
      if (n < LDETECTOR_RACE_SITES) b->watched[n] = index;
    }
    atomicAdd(&r->count, 1u);
    return;
  }
  atomicAdd(&s.found, 1u);
}

// recordWrites records the conflicts of the first pass: the ranges of bytes with the same two
// warps, by the thread whose chunk a range begins in. Without LDETECTOR_OPTION_CONTINUE it is
// the lowest one.
FUNCTION void recordWrites(Block *b, bool all) {
  const Segment &s = b->segment;
  Who me;
  LOOP for (uint32_t i = me.thread, n = chunks(s); i < n; i += me.threads) {
    if (!all && i != b->conflict / CHUNK) continue;
    LOOP for (uint32_t k = all ? 0 : b->conflict % CHUNK; k < CHUNK;) {
      uint32_t offset = i * CHUNK + k;
      Pair p = pairAt(s, offset), before = pairAt(s, offset - 1);
      uint32_t length = p.second == LDETECTOR_NONE ? 1 : runOf(s, offset, p);
      if (p.second != LDETECTOR_NONE && !(p.first == before.first && p.second == before.second))
        record(b, LDETECTOR_KIND_WRITE_WRITE, p.first, p.second, offset, length);
      if (!all) return;
      k += length;
    }
  }
}

// recordRead records the race of the second pass by where its outcome is: the first bytes of
// the second warp's copy that differ from the union.
FUNCTION void recordRead(Block *b) {
  const Segment &s = b->segment;
  uint32_t end = b->address;
  if (end != LDETECTOR_NONE)
    LOOP while (end < s.end && ((uint8_t *)copyOf(s, b->second))[end] != ((uint8_t *)s.united)[end] && !(*bitsOf(s, end / CHUNK) >> end % CHUNK & 1))
      end++;
  record(b, LDETECTOR_KIND_READ_WRITE, LDETECTOR_NONE, b->second, b->address, end - b->address);
}

// recordFound records the race that the search has found: the bytes around the one at an
// offset, within four, that the same warp has modified.
FUNCTION void recordFound(Block *b, uint32_t offset) {
  const uint8_t *owners = (const uint8_t *)b->segment.owners;
  uint32_t first = offset, end = offset + 1, owner = owners[offset];
  LOOP while (first % 4 != 0 && owners[first - 1] == owner)
    first--;
  LOOP while (end % 4 != 0 && owners[end] == owner)
    end++;
  record(b, LDETECTOR_KIND_READ_WRITE, owner - 1, b->second, first, end - first);
}

// met is what Block.low becomes of a warp's read of a byte that another warp has modified: the
// least is of the second warp, if it has one, and of the lowest byte.
INLINE uint32_t met(const Block *b, uint32_t warp, uint32_t offset) {
  return (warp != b->second ? 1u << 31 : 0) | offset * LDETECTOR_LANES | warp;
}

// recordMet records the race of what Block.low is.
INLINE void recordMet(Block *b) {
  b->second = b->low % LDETECTOR_LANES;
  recordFound(b, (b->low & ~(1u << 31)) / LDETECTOR_LANES);
}

// -----------------------------------------------------------------------------
// Accesses, in a pass in which the kernel tells of them.

// note adds a site to a list, and the thread if it is the first one.
INLINE void note(uint32_t *sites, uint32_t *thread, uint32_t site, const Who &me) {
  LOOP for (uint32_t i = 0; i < LDETECTOR_RACE_SITES; i++) {
    uint32_t was = atomicCAS(sites + i, 0u, site);
    if (was == 0 && i == 0) *thread = me.thread;
    if (was == 0 || was == site) return;
  }
}

// meet notes that a warp reads bytes that others have modified.
INLINE void meet(Block *b, const Who &me, uint32_t from, uint32_t to) {
  const uint8_t *owners = (const uint8_t *)b->segment.owners;
  LOOP for (uint32_t k = from; k < min(to, b->segment.end); k++)
    if (owners[k] != 0 && owners[k] != me.warp + 1) atomicMin(&b->low, met(b, me.warp, k));
}

// touch notes an access at an address that is redirected in the records of its block's races
// whose bytes it touches.
FUNCTION void touch(Block *b, uint64_t address, uint32_t site, uint32_t info) {
  const State &s = __ptxsan_ldetector_state;
  Who me;
  uint64_t offset = address - (uint64_t)copyOf(b->segment, me.warp);
  if (offset >= b->segment.stride) return;
  uint32_t bytes = info & (1u << LDETECTOR_TOUCH_BYTES_BITS) - 1, from = b->base + (uint32_t)offset, to = from + bytes;
  bool writes = info >> LDETECTOR_TOUCH_WRITE_BIT & 1;
  if (b->pass == PROBING && !writes) meet(b, me, (uint32_t)offset, (uint32_t)offset + bytes);
  if (b->pass != WATCHING) return;
  LOOP for (uint32_t i = 0; i < min(b->records, (uint32_t)LDETECTOR_RACE_SITES); i++) {
    Race *r = (Race *)s.races + b->watched[i];
    if (from >= r->address + r->bytes || to <= r->address) continue;
    if (me.warp == r->first && writes) note(r->first_sites, &r->first_thread, site, me);
    if (me.warp == r->second && writes == (r->kind == LDETECTOR_KIND_WRITE_WRITE)) note(r->second_sites, &r->second_thread, site, me);
  }
}
