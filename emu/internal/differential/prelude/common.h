// What generated programs use on both sides. device.h or host.h comes before.
//
// Nothing here is undefined in C++ or depends on the compiler, apart from what both
// sides are asked for on their command lines: no contraction to fma, and two's
// complement conversions, which every compiler for these machines has.

// Global memory of a program: read-only input and what its threads write.
struct Input {
  u32 w[64];
  u64 d[32];
  float f[32];
  double g[32];
};

struct alignas(16) Quad {
  u32 x, y, z, w;
};

// Storage of one thread, in global or local memory.
struct Scratch {
  u8 b[16];
  i16 h[8];
  u32 w[8];
  u64 d[4];
  float f[4];
  double g[4];
  Quad q[2];
};

const int max_threads = 160; // of all blocks

// Memory that is compared begins with out.
struct Memory {
  Scratch scratch[max_threads];
  u64 out[max_threads];
  u32 cells[16];
  u64 cells64[8];
};

// Params is a kernel's parameter by value, the same for all threads.
struct Params {
  u8 a;
  i16 b;
  u32 c[3];
  i64 d;
  float e;
  double f;
};

// Memory that the threads of a block share.
SHARED u32 block_words[max_threads];
SHARED u64 warp_longs[max_threads];
SHARED u32 shared_cells[8];

// The bits of floating-point values, with one pattern for all NaNs: which one an
// operation gives is the affair of whoever computes it.
DEVICE inline u32 bits(float x) {
  u32 r;
  __builtin_memcpy(&r, &x, 4);
  return x != x ? 0x7fffffffu : r;
}
DEVICE inline u64 bits(double x) {
  u64 r;
  __builtin_memcpy(&r, &x, 8);
  return x != x ? 0x7fffffffffffffffull : r;
}
DEVICE inline float f32_of(u32 x) {
  float r;
  __builtin_memcpy(&r, &x, 4);
  return r;
}
DEVICE inline double f64_of(u64 x) {
  double r;
  __builtin_memcpy(&r, &x, 8);
  return r;
}

// mix adds a value to what a thread has computed so far.
DEVICE inline u64 mix(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}
DEVICE inline u64 mix(u64 h, float v) { return mix(h, (u64)bits(v)); }
DEVICE inline u64 mix(u64 h, double v) { return mix(h, bits(v)); }

// Division with a result for every pair of operands.
template <class T> DEVICE inline bool undefined_quotient(T a, T b) {
  return b == 0 || ((T)-1 < 0 && b == (T)-1 && a == (T)((u64)1 << (8 * sizeof(T) - 1)));
}
template <class T> DEVICE inline T quotient(T a, T b) { return undefined_quotient(a, b) ? a : (T)(a / b); }
template <class T> DEVICE inline T remainder_of(T a, T b) { return undefined_quotient(a, b) ? b : (T)(a % b); }

// truncate converts a floating-point value to an integer, 0 where C++ does not say
// what the result is. The bounds are exact.
template <class T, class F> DEVICE inline T truncate(F x) {
  const bool is_signed = (T)-1 < 0;
  const int n = 8 * sizeof(T) - (is_signed ? 1 : 0);
  const F end = (F)((u64)1 << (n - 1)) * 2;
  return x > (is_signed ? -end : (F)-1) && x < end ? (T)x : (T)0;
}

// pick is the number of the (n mod popcount)-th lane in a mask that is not empty.
DEVICE NOINLINE u32 pick(u32 mask, u32 n) {
  u32 count = 0;
  for (u32 m = mask; m != 0; m &= m - 1) count++;
  for (n %= count; n > 0; n--) mask &= mask - 1;
  u32 lane = 0;
  while ((mask >> lane & 1) == 0) lane++;
  return lane;
}

// Shuffles. The source of each is a lane in the mask, or else the result is not what
// the warp exchanged but the thread's own value, as it is when the source is out of range.
template <class T> DEVICE inline T shuffle(u32 mask, T v, u32 lane) { return warp_index(mask, v, pick(mask, lane), 32); }
template <class T> DEVICE inline T shuffle_up(u32 mask, T v, u32 delta, u32 width) {
  u32 self = lane_index(), first = self & ~(width - 1);
  T r = warp_up(mask, v, delta, width);
  return self < first + delta || (mask >> (self - delta) & 1) != 0 ? r : v;
}
template <class T> DEVICE inline T shuffle_down(u32 mask, T v, u32 delta, u32 width) {
  u32 self = lane_index(), last = self | (width - 1);
  T r = warp_down(mask, v, delta, width);
  return self + delta > last || (mask >> (self + delta) & 1) != 0 ? r : v;
}
template <class T> DEVICE inline T shuffle_xor(u32 mask, T v, u32 lanes, u32 width) {
  u32 self = lane_index(), source = self ^ lanes, last = self | (width - 1);
  T r = warp_xor(mask, v, lanes, width);
  return source > last || (mask >> source & 1) != 0 ? r : v;
}

// exchange gives each lane in the mask what another one has written to shared memory.
DEVICE inline u64 exchange(u32 mask, u64 v, u32 n) {
  u32 self = thread_index();
  warp_longs[self] = v;
  warp_barrier(mask);
  u64 r = warp_longs[(self & ~31u) + pick(mask, n)];
  warp_barrier(mask);
  return r;
}

// block_exchange gives each thread what another one of its block has written.
DEVICE inline u32 block_exchange(u32 v, u32 n) {
  block_words[thread_index()] = v;
  block_barrier();
  u32 r = block_words[n % block_size()];
  block_barrier();
  return r;
}

// warp_members are the lanes of the calling thread's warp that exist.
DEVICE inline u32 warp_members() {
  u32 first = thread_index() & ~31u, n = block_size() - first;
  return n >= 32 ? ~0u : (1u << n) - 1;
}

// Loops around compare-and-swap.
DEVICE inline void swap_add(u32 *p, u32 v) {
  u32 old, seen = atomic_cas(p, 0u, 0u);
  do {
    old = seen;
    seen = atomic_cas(p, old, old * 3 + v - old * 2);
  } while (seen != old);
}
DEVICE inline void swap_add(u64 *p, u64 v) {
  u64 old, seen = atomic_cas(p, (u64)0, (u64)0);
  do {
    old = seen;
    seen = atomic_cas(p, old, old * 5 + v - old * 4);
  } while (seen != old);
}

// take counts in one cell and adds the numbers it was given up in another.
DEVICE inline void take(u32 *count, u32 *sum) { atomic_add(sum, atomic_add(count, 1u)); }

// trade exchanges values: the exclusive-or of all that were found and of the last one
// does not depend on their order.
DEVICE inline void trade(u32 *cell, u32 *found, u32 v) { atomic_xor(found, atomic_exch(cell, v)); }
