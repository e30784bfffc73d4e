// The device's side: clang without NVIDIA's headers, or nvcc with them.
#ifdef __clang__
#include "cuda_builtins.h"
#endif

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

#define DEVICE __device__
#define SHARED __shared__
#define CONSTANT __constant__
#define KERNEL extern "C" __global__
#define NOINLINE __attribute__((noinline))

DEVICE inline u32 thread_index() { return threadIdx.x; }
DEVICE inline u32 block_index() { return blockIdx.x; }
DEVICE inline u32 block_size() { return blockDim.x; }
DEVICE inline u32 lane_index() {
  u32 r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  return r;
}

DEVICE inline void block_barrier() { __syncthreads(); }
DEVICE inline u32 block_count(u32 p) { return __syncthreads_count(p); }
DEVICE inline u32 block_all(u32 p) { return __syncthreads_and(p) != 0; }
DEVICE inline u32 block_any(u32 p) { return __syncthreads_or(p) != 0; }

DEVICE inline void warp_barrier(u32 mask) { __syncwarp(mask); }
DEVICE inline u32 warp_ballot(u32 mask, u32 p) { return __ballot_sync(mask, p); }
DEVICE inline u32 warp_any(u32 mask, u32 p) { return __any_sync(mask, p) != 0; }
DEVICE inline u32 warp_all(u32 mask, u32 p) { return __all_sync(mask, p) != 0; }
DEVICE inline u32 warp_self() { return __activemask() & 1u << lane_index(); }

#define SHUFFLES(T, cast)                                                                                   \
  DEVICE inline T warp_index(u32 m, T v, u32 n, u32 w) { return (T)__shfl_sync(m, (cast)v, n, w); }         \
  DEVICE inline T warp_up(u32 m, T v, u32 n, u32 w) { return (T)__shfl_up_sync(m, (cast)v, n, w); }         \
  DEVICE inline T warp_down(u32 m, T v, u32 n, u32 w) { return (T)__shfl_down_sync(m, (cast)v, n, w); }     \
  DEVICE inline T warp_xor(u32 m, T v, u32 n, u32 w) { return (T)__shfl_xor_sync(m, (cast)v, n, w); }
#define SHUFFLE64(name)                                                                                     \
  DEVICE inline u64 name(u32 m, u64 v, u32 n, u32 w) {                                                      \
    u32 low = name(m, (u32)v, n, w);                                                                        \
    return (u64)name(m, (u32)(v >> 32), n, w) << 32 | low;                                                  \
  }
SHUFFLES(u32, int)
SHUFFLES(i32, int)
SHUFFLE64(warp_index)
SHUFFLE64(warp_up)
SHUFFLE64(warp_down)
SHUFFLE64(warp_xor)

#if __CUDA_ARCH__ >= 700
DEVICE inline u32 warp_match(u32 mask, u32 v) {
  u32 r;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));
  return r;
}
DEVICE inline u32 warp_match(u32 mask, u64 v) {
  u32 r;
  asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(r) : "l"(v), "r"(mask));
  return r;
}
DEVICE inline u32 warp_match_all(u32 mask, u32 v) {
  u32 r, p;
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, %3; selp.u32 %1, 1, 0, p; }" : "=r"(r), "=r"(p) : "r"(v), "r"(mask));
  return r + p;
}
#endif
#if __CUDA_ARCH__ >= 800
#define REDUCE(name, op, T)                                                              \
  DEVICE inline T name(u32 mask, T v) {                                                  \
    T r;                                                                                 \
    asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));         \
    return r;                                                                            \
  }
REDUCE(warp_sum, "add.u32", u32)
REDUCE(warp_least, "min.s32", i32)
REDUCE(warp_most, "max.u32", u32)
REDUCE(warp_and, "and.b32", u32)
REDUCE(warp_or, "or.b32", u32)
REDUCE(warp_xors, "xor.b32", u32)
#endif

#define ATOMIC(name, op, T, c)                                                                            \
  DEVICE inline T atomic_##name(T *p, T v) {                                                              \
    T r;                                                                                                  \
    asm volatile("atom." op " %0, [%1], %2;" : "=" c(r) : "l"(p), c(v) : "memory");                       \
    return r;                                                                                             \
  }                                                                                                       \
  DEVICE inline void reduce_##name(T *p, T v) { asm volatile("red." op " [%0], %1;" : : "l"(p), c(v) : "memory"); }
ATOMIC(add, "add.u32", u32, "r")
ATOMIC(add, "add.u64", u64, "l")
ATOMIC(add, "add.f32", float, "f")
ATOMIC(min, "min.u32", u32, "r")
ATOMIC(min, "min.s32", i32, "r")
ATOMIC(min, "min.s64", i64, "l")
ATOMIC(max, "max.u32", u32, "r")
ATOMIC(max, "max.s32", i32, "r")
ATOMIC(max, "max.u64", u64, "l")
ATOMIC(and, "and.b32", u32, "r")
ATOMIC(and, "and.b64", u64, "l")
ATOMIC(or, "or.b32", u32, "r")
ATOMIC(or, "or.b64", u64, "l")
ATOMIC(xor, "xor.b32", u32, "r")
ATOMIC(xor, "xor.b64", u64, "l")
ATOMIC(inc, "inc.u32", u32, "r")
DEVICE inline u32 atomic_exch(u32 *p, u32 v) { return atomicExch(p, v); }
DEVICE inline u32 atomic_cas(u32 *p, u32 c, u32 v) { return atomicCAS(p, c, v); }
DEVICE inline u64 atomic_cas(u64 *p, u64 c, u64 v) { return atomicCAS(p, c, v); }
