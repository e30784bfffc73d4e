// The data of a region under LDetector: the original arrays, a copy for each warp, the union
// copy, and the operations on them. After Li, Hu, Chen, Ding and Soyata, "LDetector: A Low
// Overhead Race Detector For GPU Programs", WoDet 2014; section and figure numbers are that
// paper's. For lib/ldetector.cu.
//
// All threads of a block run each operation, two-level parallel (4.3): warps take different
// rows, and lanes consecutive chunks of a row, so that accesses are coalesced. Copies are
// padded to LDETECTOR_PAD bytes, so that only the user's arrays have chunks that are not whole.
#pragma once
#include "cuda_builtins.h"
#include "ldetector_abi.h"

#define INLINE static __device__ __forceinline__

// LOOP keeps the compiler from unrolling a loop: kernels that are checked have all of this.
#define LOOP _Pragma("clang loop unroll(disable)")

// Chunk is what a lane handles at a time.
typedef uint64_t Chunk __attribute__((ext_vector_type(2)));
enum : uint32_t { CHUNK = sizeof(Chunk) };

// Segment is what is expanded (Table 1, shared array): the bytes of shared memory from the
// lowest to the highest one of a kernel's arrays. Offsets count from original, which is a
// multiple of CHUNK.
struct Segment {
  uint64_t original; // generic addresses
  uint64_t copies;   // of the first warp's copy; those of the others follow
  uint64_t united;   // the union copy
  uint64_t bitmap;   // a bit for each byte
  uint64_t owners;   // a byte for each byte: 1 + the warp that modified it; 0: there are none
  uint32_t first;    // offset of the first byte of the arrays, less than CHUNK
  uint32_t end;      // offset behind the last one
  uint32_t stride;   // from copy to copy
  uint32_t warps;
};

INLINE Chunk *at(uint64_t memory, uint32_t i) { return (Chunk *)memory + i; }
INLINE Chunk *copyOf(const Segment &s, uint32_t warp) { return (Chunk *)(s.copies + (uint64_t)warp * s.stride); }
INLINE uint16_t *bitsOf(const Segment &s, uint32_t i) { return (uint16_t *)s.bitmap + i; }
INLINE uint32_t chunks(const Segment &s) { return (s.end + CHUNK - 1) / CHUNK; }

// Who is a thread's place in its block.
struct Who {
  uint32_t thread, threads, warp, lane;
  uint32_t lanes; // of the warp
  __device__ __forceinline__ Who() {
    thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    threads = blockDim.x * blockDim.y * blockDim.z;
    warp = thread / LDETECTOR_LANES, lane = thread % LDETECTOR_LANES;
    lanes = min(threads - warp * LDETECTOR_LANES, (unsigned)LDETECTOR_LANES);
  }
  // meet waits for the lanes of the warp.
  __device__ __forceinline__ void meet() const { __syncwarp(~0u >> (LDETECTOR_LANES - lanes)); }
};

// -----------------------------------------------------------------------------
// Bytes of chunks.

// differ has 0xff for each byte in which two words differ.
INLINE uint64_t differ(uint64_t x, uint64_t y) {
  uint64_t d = x ^ y, low = 0x7f7f7f7f7f7f7f7full;
  return (((d & low) + low | d) >> 7 & 0x0101010101010101ull) * 0xff;
}
INLINE Chunk differ(Chunk x, Chunk y) { return Chunk{differ(x.x, y.x), differ(x.y, y.y)}; }
INLINE bool same(Chunk x, Chunk y) { return ((x.x ^ y.x) | (x.y ^ y.y)) == 0; }
INLINE bool none(Chunk x) { return (x.x | x.y) == 0; }

// bits has a bit for each byte of a chunk that is 0xff and not 0.
INLINE uint32_t bits(uint64_t bytes) { return (uint32_t)((bytes & 0x0101010101010101ull) * 0x0102040810204080ull >> 56); }
INLINE uint32_t bits(Chunk bytes) { return bits(bytes.x) | bits(bytes.y) << 8; }

// select is x in the bytes that are 0xff in which, else y.
INLINE Chunk select(Chunk which, Chunk x, Chunk y) { return x & which | y & ~which; }

// below has 0xff for each byte of chunk i whose offset is less than limit.
INLINE uint64_t below(uint32_t offset, uint32_t limit) {
  return limit <= offset ? 0 : limit - offset >= 8 ? ~0ull : ~(~0ull << 8 * (limit - offset));
}
INLINE Chunk belowIn(uint32_t i, uint32_t limit) { return Chunk{below(i * CHUNK, limit), below(i * CHUNK + 8, limit)}; }

// whole reports whether all bytes of chunk i belong to the arrays.
INLINE bool whole(const Segment &s, uint32_t i) { return i * CHUNK >= s.first && (i + 1) * CHUNK <= s.end; }

// part is chunk i of the user's arrays when some of its bytes are not theirs: zeros.
static __device__ __noinline__ Chunk part(const Segment *s, uint32_t i) {
  Chunk c = {0, 0};
  LOOP for (uint32_t k = max(i * CHUNK, s->first); k < min((i + 1) * CHUNK, s->end); k++) {
    uint64_t byte = (uint64_t)((uint8_t *)s->original)[k] << k % 8 * 8;
    if (k % CHUNK < 8)
      c.x |= byte;
    else
      c.y |= byte;
  }
  return c;
}

// original is chunk i of the user's arrays.
INLINE Chunk original(const Segment &s, uint32_t i) { return whole(s, i) ? *at(s.original, i) : part(&s, i); }

// -----------------------------------------------------------------------------
// The operations. Between two of them that do not say otherwise, the block synchronizes.

// copyIn is the start of a synchronized block (4.1): each warp copies the arrays to its own
// copy.
INLINE void copyIn(const Segment &s, const Who &me) {
  Chunk *mine = copyOf(s, me.warp);
  LOOP for (uint32_t i = me.lane, n = chunks(s); i < n; i += me.lanes)
    mine[i] = original(s, i);
}

// regionDiff is the comparison of the commit (4.1, Figure 2 (c)): which bytes has a warp
// modified, and which of them more than one? The first go to the bitmap, and to the map of
// owners; conflict becomes the offset of the lowest of the second, if that is less. A thread
// goes through the warps one by one for its own chunks, so that nobody else sets its bits.
INLINE void regionDiff(const Segment &s, const Who &me, uint32_t *conflict) {
  LOOP for (uint32_t i = me.thread, n = chunks(s); i < n; i += me.threads) {
    Chunk was = original(s, i), written = {0, 0}, twice = {0, 0}, owner = {0, 0};
    const Chunk *copy = at(s.copies, i);
    LOOP for (uint32_t w = 0; w < s.warps; w++, copy = (const Chunk *)((uint64_t)copy + s.stride)) {
      Chunk now = *copy;
      if (same(now, was)) continue;
      Chunk m = differ(now, was);
      twice |= written & m;
      owner |= m & ~written & (w + 1) * 0x0101010101010101ull;
      written |= m;
    }
    *bitsOf(s, i) = bits(written);
    if (s.owners) *at(s.owners, i) = owner;
    if (!none(twice)) atomicMin(conflict, i * CHUNK + __ffs(bits(twice)) - 1);
  }
}

// regionUnion unites the written parts of all copies (4.1). Where warps are in conflict, it
// takes what the last of them wrote. The bitmap has the bytes in conflict from now on. No
// synchronization is needed after regionDiff: a thread has the same chunks.
INLINE void regionUnion(const Segment &s, const Who &me) {
  LOOP for (uint32_t i = me.thread, n = chunks(s); i < n; i += me.threads) {
    Chunk was = original(s, i), now = was, written = {0, 0}, twice = {0, 0};
    const Chunk *copy = at(s.copies, i);
    LOOP for (uint32_t w = *bitsOf(s, i) == 0 ? s.warps : 0; w < s.warps; w++) {
      Chunk c = *(const Chunk *)((uint64_t)copy + (uint64_t)w * s.stride);
      if (same(c, was)) continue;
      Chunk m = differ(c, was);
      twice |= written & m;
      written |= m;
      now = select(m, c, now);
    }
    *at(s.united, i) = now;
    *bitsOf(s, i) = bits(twice);
  }
}

// regionCombine is the start of the second pass (4.2): what the warp itself has modified
// becomes the original again, and what others have modified theirs.
INLINE void regionCombine(const Segment &s, const Who &me) {
  Chunk *mine = copyOf(s, me.warp);
  LOOP for (uint32_t i = me.lane, n = chunks(s); i < n; i += me.lanes) {
    Chunk was = original(s, i);
    mine[i] = select(differ(mine[i], was), was, *at(s.united, i));
  }
}

// merged is chunk i of a warp's copy at the start of a pass in which what others have modified
// is theirs below an offset only. It needs the map of owners.
INLINE Chunk merged(const Segment &s, uint32_t warp, uint32_t i, uint32_t limit, Chunk &own) {
  own = ~differ(*at(s.owners, i), Chunk((warp + 1) * 0x0101010101010101ull));
  return select(belowIn(i, limit) & ~own, *at(s.united, i), original(s, i));
}

// regionMerge is regionCombine below an offset: the rest of the copy is as at the start of the
// first pass.
INLINE void regionMerge(const Segment &s, const Who &me, uint32_t limit) {
  Chunk own, *mine = copyOf(s, me.warp);
  LOOP for (uint32_t i = me.lane, n = chunks(s); i < n; i += me.lanes)
    mine[i] = merged(s, me.warp, i, limit, own);
}

// compareOutput is the comparison after the second pass (4.2): the offset of the first byte
// that the lane finds where the warp's copy is not the union; LDETECTOR_NONE when there is none.
// Bytes in conflict are left out.
INLINE uint32_t compareOutput(const Segment &s, const Who &me) {
  const Chunk *mine = copyOf(s, me.warp);
  LOOP for (uint32_t i = me.lane, n = chunks(s); i < n; i += me.lanes) {
    Chunk c = mine[i], u = *at(s.united, i);
    if (same(c, u)) continue;
    uint32_t m = bits(differ(c, u)) & ~*bitsOf(s, i);
    if (m != 0) return i * CHUNK + __ffs(m) - 1;
  }
  return LDETECTOR_NONE;
}

// compareMerged is compareOutput after a pass that began with regionMerge.
INLINE bool compareMerged(const Segment &s, const Who &me, uint32_t limit) {
  const Chunk *mine = copyOf(s, me.warp);
  LOOP for (uint32_t i = me.lane, n = chunks(s); i < n; i += me.lanes) {
    Chunk own, start = merged(s, me.warp, i, limit, own);
    if (bits(differ(mine[i], select(own, *at(s.united, i), start))) & ~*bitsOf(s, i)) return true;
  }
  return false;
}

// regionCommit makes the union copy the original one (4.2).
INLINE void regionCommit(const Segment &s, const Who &me) {
  LOOP for (uint32_t i = me.thread, n = chunks(s); i < n; i += me.threads) {
    if (whole(s, i)) {
      *at(s.original, i) = *at(s.united, i);
      continue;
    }
    LOOP for (uint32_t k = max(i * CHUNK, s.first); k < min((i + 1) * CHUNK, s.end); k++)
      ((uint8_t *)s.original)[k] = ((uint8_t *)s.united)[k];
  }
}

// -----------------------------------------------------------------------------
// Which warps are in conflict.

// Pair is the two lowest warps that have modified a byte, LDETECTOR_NONE in place of those that
// there are not.
struct Pair {
  uint32_t first, second;
};

INLINE Pair pairAt(const Segment &s, uint32_t offset) {
  Pair p = {LDETECTOR_NONE, LDETECTOR_NONE};
  if (offset < s.first || offset >= s.end) return p;
  uint8_t was = ((const uint8_t *)s.original)[offset];
  LOOP for (uint32_t w = 0; w < s.warps && p.second == LDETECTOR_NONE; w++) {
    if (((const uint8_t *)copyOf(s, w))[offset] == was) continue;
    (p.first == LDETECTOR_NONE ? p.first : p.second) = w;
  }
  return p;
}

// inPair has a bit for each byte of chunk i whose pair is p.
INLINE uint32_t inPair(const Segment &s, uint32_t i, Pair p) {
  Chunk was = original(s, i), others = {0, 0}, both = {~0ull, ~0ull};
  LOOP for (uint32_t w = 0; w <= p.second; w++) {
    Chunk m = differ(copyOf(s, w)[i], was);
    if (w == p.first || w == p.second)
      both &= m;
    else
      others |= m;
  }
  return bits(both & ~others);
}

// runOf is the number of bytes from an offset on whose pair is p.
INLINE uint32_t runOf(const Segment &s, uint32_t offset, Pair p) {
  uint32_t at = offset;
  LOOP for (uint32_t i = at / CHUNK, n = chunks(s); i < n; i++) {
    uint32_t rest = ~inPair(s, i, p) & (1u << CHUNK) - 1 & ~0u << at % CHUNK;
    if (rest != 0) return i * CHUNK + __ffs(rest) - 1 - offset;
    at = (i + 1) * CHUNK;
  }
  return at - offset;
}
