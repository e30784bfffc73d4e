// The host's side. Threads of a block are contexts of one thread of the host: each runs
// until an operation among several of them, and waits there until all have come.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ucontext.h>

typedef unsigned char u8;
typedef signed char i8;
typedef unsigned short u16;
typedef short i16;
typedef unsigned u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef float f32;
typedef double f64;

#define DEVICE static
#define SHARED static
#define CONSTANT static const
#define KERNEL extern "C"
#define NOINLINE

struct Thread;
typedef u64 Combine(Thread *warp, u32 mask, u32 lane);

struct Thread {
  ucontext_t context;
  bool done, waiting;
  Combine *combine; // null at a barrier of the block
  u32 mask;
  u64 value, aux, result;
};

static Thread threads[1024];
static ucontext_t scheduler;
static u32 current, number_of_threads, current_block;

static u32 thread_index() { return current; }
static u32 block_index() { return current_block; }
static u32 block_size() { return number_of_threads; }
static u32 lane_index() { return current & 31; }

static u64 wait() {
  swapcontext(&threads[current].context, &scheduler);
  return threads[current].result;
}

// collective is an operation among the lanes in the mask. The last to come computes the
// results of all.
static u64 collective(Combine *combine, u32 mask, u64 value, u64 aux) {
  Thread *warp = &threads[current & ~31u], &self = threads[current];
  self.waiting = true, self.combine = combine, self.mask = mask, self.value = value, self.aux = aux;
  for (u32 l = 0; l < 32; l++)
    if (mask >> l & 1 && !(warp[l].waiting && warp[l].mask == mask && warp[l].combine == combine)) return wait();
  for (u32 l = 0; l < 32; l++)
    if (mask >> l & 1) warp[l].result = combine(warp, mask, l), warp[l].waiting = false;
  return self.result;
}

// block_sum is a barrier of the block, with the sum of what its threads bring.
static u32 block_sum(u64 value) {
  Thread &self = threads[current];
  self.waiting = true, self.combine = nullptr, self.value = value;
  u64 sum = 0;
  for (u32 t = 0; t < number_of_threads; t++) {
    if (!threads[t].waiting || threads[t].combine) return wait();
    sum += threads[t].value;
  }
  for (u32 t = 0; t < number_of_threads; t++) threads[t].result = sum, threads[t].waiting = false;
  return sum;
}

static void block_barrier() { block_sum(0); }
static u32 block_count(u32 p) { return block_sum(p != 0); }
static u32 block_all(u32 p) { return block_sum(p != 0) == number_of_threads; }
static u32 block_any(u32 p) { return block_sum(p != 0) != 0; }

// FOLD is an operation whose result is made of the values of all lanes.
#define FOLD(name, T, init, step)                                                    \
  static u64 fold_##name(Thread *warp, u32 mask, u32 lane) {                         \
    T r = init, self = (T)warp[lane].value;                                          \
    (void)self;                                                                      \
    for (u32 l = 0; l < 32; l++) {                                                   \
      T v = (T)warp[l].value;                                                        \
      if (mask >> l & 1) r = step;                                                   \
    }                                                                                \
    return (u64)r;                                                                   \
  }
FOLD(ballot, u32, 0, r | (u32)(v != 0) << l)
FOLD(any, u32, 0, r | (v != 0))
FOLD(all, u32, 1, r & (v != 0))
FOLD(match, u64, 0, r | (u64)(v == self) << l)
FOLD(match_all, u64, mask + (u64)1, v == self ? r : 0)
FOLD(sum, u32, 0, r + v)
FOLD(least, i32, 0x7fffffff, v < r ? v : r)
FOLD(most, u32, 0, v > r ? v : r)
FOLD(and, u32, ~0u, r & v)
FOLD(or, u32, 0, r | v)
FOLD(xors, u32, 0, r ^ v)
static void warp_barrier(u32 mask) { collective(fold_any, mask, 0, 0); }
static u32 warp_ballot(u32 mask, u32 p) { return collective(fold_ballot, mask, p, 0); }
static u32 warp_any(u32 mask, u32 p) { return collective(fold_any, mask, p, 0); }
static u32 warp_all(u32 mask, u32 p) { return collective(fold_all, mask, p, 0); }
static u32 warp_match(u32 mask, u64 v) { return collective(fold_match, mask, v, 0); }
static u32 warp_match_all(u32 mask, u32 v) { return collective(fold_match_all, mask, v, 0); }
static u32 warp_sum(u32 mask, u32 v) { return collective(fold_sum, mask, v, 0); }
static i32 warp_least(u32 mask, i32 v) { return (i32)collective(fold_least, mask, (u32)v, 0); }
static u32 warp_most(u32 mask, u32 v) { return collective(fold_most, mask, v, 0); }
static u32 warp_and(u32 mask, u32 v) { return collective(fold_and, mask, v, 0); }
static u32 warp_or(u32 mask, u32 v) { return collective(fold_or, mask, v, 0); }
static u32 warp_xors(u32 mask, u32 v) { return collective(fold_xors, mask, v, 0); }
static u32 warp_self() { return 1u << lane_index(); }

// from is the value of a lane, some other value if the lane does not take part.
static u64 from(Thread *warp, u32 mask, u32 lane) { return mask >> lane & 1 ? warp[lane].value : 0xbad0bad0bad0badull; }

// SHUFFLE follows the manual's definition of shfl.sync: which lane, and whether it is in
// the segment.
#define SHUFFLE(name, source, inside)                                                               \
  static u64 shuffle_from_##name(Thread *warp, u32 mask, u32 lane) {                                \
    u32 n = (u32)warp[lane].aux, width = (u32)(warp[lane].aux >> 32);                               \
    u32 first = lane & ~(width - 1), last = first + width - 1, j = source;                          \
    (void)last;                                                                                     \
    return from(warp, mask, (inside) ? j : lane);                                                   \
  }                                                                                                 \
  template <class T> static T warp_##name(u32 mask, T v, u32 n, u32 width) {                        \
    return (T)collective(shuffle_from_##name, mask, (u64)v, (u64)width << 32 | n);                  \
  }
SHUFFLE(index, first | (n & (width - 1)), true)
SHUFFLE(up, lane - n, (i32)j >= (i32)first)
SHUFFLE(down, lane + n, j <= last)
SHUFFLE(xor, lane ^ n, j <= last)

#define ATOMIC(name, step)                                       \
  template <class T> static T atomic_##name(T *p, T v) {         \
    T old = *p;                                                  \
    *p = step;                                                   \
    return old;                                                  \
  }                                                              \
  template <class T> static void reduce_##name(T *p, T v) { atomic_##name(p, v); }
ATOMIC(add, old + v)
ATOMIC(min, v < old ? v : old)
ATOMIC(max, v > old ? v : old)
ATOMIC(and, old & v)
ATOMIC(or, old | v)
ATOMIC(xor, old ^ v)
ATOMIC(inc, old >= v ? 0 : old + 1)
ATOMIC(exch, v)
template <class T> static T atomic_cas(T *p, T c, T v) {
  T old = *p;
  if (old == c) *p = v;
  return old;
}

// ROUNDED evaluates an expression with another rounding mode. Its operands must be
// volatile: the compiler then neither computes nor moves it.
#define ROUNDED(mode, T, expression)  \
  fesetround(mode);                   \
  volatile T rounded = expression;    \
  fesetround(FE_TONEAREST);           \
  return rounded

// narrow rounds to a floating-point format of 16 bits: the significand has so many bits,
// and the least number is 2 to the power of least.
static u16 narrow(double x, int precision, int least, bool toward_zero) {
  u32 sign = std::signbit(x) ? 0x8000 : 0, infinity = 0x7fff & ~0u << (precision - 1);
  if (x != x) return 0x7fff;
  if (std::isinf(x)) return (u16)(sign | infinity);
  int e;
  std::frexp(x, &e);
  int q = e - precision > least ? e - precision : least;
  double n = std::ldexp(std::fabs(x), -q);
  u32 r = (u32)(toward_zero ? std::floor(n) : std::nearbyint(n));
  u32 all = x == 0 ? 0 : ((u32)(q - least) << (precision - 1)) + r;
  if (all >= infinity) all = toward_zero ? infinity - 1 : infinity;
  return (u16)(sign | all);
}

static double widen(u16 v, int precision, int least) {
  u32 all = v & 0x7fff, infinity = 0x7fff & ~0u << (precision - 1), one = 1u << (precision - 1);
  double x = all >= one ? std::ldexp((double)(all % one + one), (int)(all / one) - 1 + least) : std::ldexp((double)all, least);
  if (all >= infinity) x = all == infinity ? INFINITY : NAN;
  return v & 0x8000 ? -x : x;
}
