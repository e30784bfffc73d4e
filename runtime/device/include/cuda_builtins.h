// CUDA device builtins for clang without the CUDA toolkit: what the device
// libraries and the examples of ptxsan use, under CUDA's own names.
//
// Every function is always inlined and carries no debug location of its own
// (nodebug), so that .loc directives in the PTX name the caller's line and column
// and never a line of this header.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))

typedef __SIZE_TYPE__ size_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#define PTXSAN_BUILTIN static inline __attribute__((device, always_inline, nodebug))

// threadIdx and its kin. Reading a member reads the special register.

#define PTXSAN_INDEX(name, sreg)                                                                     \
  struct ptxsan_##name##_t {                                                                         \
    __declspec(property(get = get_x)) unsigned x;                                                    \
    __declspec(property(get = get_y)) unsigned y;                                                    \
    __declspec(property(get = get_z)) unsigned z;                                                    \
    PTXSAN_BUILTIN unsigned get_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); }                    \
    PTXSAN_BUILTIN unsigned get_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); }                    \
    PTXSAN_BUILTIN unsigned get_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); }                    \
  };                                                                                                 \
  extern const __device__ __attribute__((weak)) ptxsan_##name##_t name;

PTXSAN_INDEX(threadIdx, tid)
PTXSAN_INDEX(blockIdx, ctaid)
PTXSAN_INDEX(blockDim, ntid)
PTXSAN_INDEX(gridDim, nctaid)
#define warpSize 32

// Barriers and fences.

extern "C" __device__ int printf(const char *format, ...);
extern "C" __host__ int printf(const char *format, ...);
extern "C" __device__ void __syncthreads();  // a clang builtin: bar.sync 0

PTXSAN_BUILTIN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
PTXSAN_BUILTIN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
PTXSAN_BUILTIN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
PTXSAN_BUILTIN void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
PTXSAN_BUILTIN void __threadfence_block() { __nvvm_membar_cta(); }
PTXSAN_BUILTIN void __threadfence() { __nvvm_membar_gl(); }
PTXSAN_BUILTIN void __threadfence_system() { __nvvm_membar_sys(); }

// Warp operations.

PTXSAN_BUILTIN unsigned __activemask() { return __nvvm_activemask(); }
PTXSAN_BUILTIN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
PTXSAN_BUILTIN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
PTXSAN_BUILTIN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, float v) { return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(int, v)); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, double v) { return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, v)); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned long long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, long long v) { return __nvvm_match_any_sync_i64(mask, v); }

// A shuffle for each type that CUDA's have: 64 bits are two of 32. PTXSAN_SHFL declares those of 32 bits by
// clang's builtin, PTXSAN_SHFL_WIDE those made of them.

#define PTXSAN_SHFL(name, op, type, word, suffix, lanes, clamp)                                      \
  PTXSAN_BUILTIN type name(unsigned mask, type v, lanes n, int width = 32) {                         \
    return __builtin_bit_cast(type, __nvvm_shfl_sync_##op##_##suffix(mask, __builtin_bit_cast(word, v), n, ((32 - width) << 8) | clamp)); \
  }

#define PTXSAN_SHFL_WIDE(name, type, lanes)                                                          \
  PTXSAN_BUILTIN type name(unsigned mask, type v, lanes n, int width = 32) {                         \
    unsigned long long w = __builtin_bit_cast(unsigned long long, v);                                \
    unsigned low = name(mask, (unsigned)w, n, width), high = name(mask, (unsigned)(w >> 32), n, width); \
    return __builtin_bit_cast(type, (unsigned long long)high << 32 | low);                           \
  }

#define PTXSAN_SHUFFLE(name, op, lanes, clamp)                                                       \
  PTXSAN_SHFL(name, op, int, int, i32, lanes, clamp)                                                 \
  PTXSAN_SHFL(name, op, unsigned, int, i32, lanes, clamp)                                            \
  PTXSAN_SHFL(name, op, float, float, f32, lanes, clamp)                                             \
  PTXSAN_SHFL_WIDE(name, long long, lanes)                                                           \
  PTXSAN_SHFL_WIDE(name, unsigned long long, lanes)                                                  \
  PTXSAN_SHFL_WIDE(name, long, lanes)                                                                \
  PTXSAN_SHFL_WIDE(name, unsigned long, lanes)                                                       \
  PTXSAN_SHFL_WIDE(name, double, lanes)

PTXSAN_SHUFFLE(__shfl_sync, idx, int, 0x1f)
PTXSAN_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
PTXSAN_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
PTXSAN_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)

// Integer intrinsics.

PTXSAN_BUILTIN int __popc(unsigned v) { return __builtin_popcount(v); }
PTXSAN_BUILTIN int __clz(int v) { return v == 0 ? 32 : __builtin_clz(v); }
PTXSAN_BUILTIN int __ffs(int v) { return __builtin_ffs(v); }
PTXSAN_BUILTIN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
PTXSAN_BUILTIN int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(v); }
PTXSAN_BUILTIN int __ffsll(long long v) { return __builtin_ffsll(v); }
PTXSAN_BUILTIN bool __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
PTXSAN_BUILTIN bool __isShared(const void *p) { return __nvvm_isspacep_shared(p); }

PTXSAN_BUILTIN int abs(int v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN long abs(long v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN long long abs(long long v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN float abs(float v) { return __builtin_fabsf(v); }
PTXSAN_BUILTIN double abs(double v) { return __builtin_fabs(v); }

// Loads by the path for data that nothing writes.

#define PTXSAN_LDG(type, word, suffix)                                                               \
  PTXSAN_BUILTIN type __ldg(const type *p) { return (type)__nvvm_ldg_##suffix((const word *)p); }

PTXSAN_LDG(char, char, c)
PTXSAN_LDG(signed char, signed char, sc)
PTXSAN_LDG(unsigned char, unsigned char, uc)
PTXSAN_LDG(short, short, s)
PTXSAN_LDG(unsigned short, unsigned short, us)
PTXSAN_LDG(int, int, i)
PTXSAN_LDG(unsigned, unsigned, ui)
PTXSAN_LDG(long, long, l)
PTXSAN_LDG(unsigned long, unsigned long, ul)
PTXSAN_LDG(long long, long long, ll)
PTXSAN_LDG(unsigned long long, unsigned long long, ull)
PTXSAN_LDG(float, float, f)
PTXSAN_LDG(double, double, d)

// min and max, in host code as well, for all pairs of types that CUDA's have: of int and unsigned
// the result is unsigned.

#define PTXSAN_BOTH static inline __attribute__((host, device, always_inline, nodebug))

#define PTXSAN_EXTREMES(type, a_type, b_type)                                                        \
  PTXSAN_BOTH type min(a_type a, b_type b) { return (type)a < (type)b ? (type)a : (type)b; }         \
  PTXSAN_BOTH type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }

#define PTXSAN_INTEGER_EXTREMES(signed_type, unsigned_type)                                          \
  PTXSAN_EXTREMES(signed_type, signed_type, signed_type)                                             \
  PTXSAN_EXTREMES(unsigned_type, unsigned_type, unsigned_type)                                       \
  PTXSAN_EXTREMES(unsigned_type, signed_type, unsigned_type)                                         \
  PTXSAN_EXTREMES(unsigned_type, unsigned_type, signed_type)

PTXSAN_INTEGER_EXTREMES(int, unsigned)
PTXSAN_INTEGER_EXTREMES(long, unsigned long)
PTXSAN_INTEGER_EXTREMES(long long, unsigned long long)

#define PTXSAN_FLOAT_EXTREMES(type, a_type, b_type, suffix)                                          \
  PTXSAN_BOTH type min(a_type a, b_type b) { return __builtin_fmin##suffix(a, b); }                  \
  PTXSAN_BOTH type max(a_type a, b_type b) { return __builtin_fmax##suffix(a, b); }

PTXSAN_FLOAT_EXTREMES(float, float, float, f)
PTXSAN_FLOAT_EXTREMES(double, double, double, )
PTXSAN_FLOAT_EXTREMES(double, float, double, )
PTXSAN_FLOAT_EXTREMES(double, double, float, )

// Atomics. PTXSAN_ATOMIC declares one operation in its three scopes: device (no
// suffix), block and system, as CUDA names them.

#define PTXSAN_ATOMIC(name, op, type, word, suffix)                                                  \
  PTXSAN_BUILTIN type name(type *p, type v) {                                                        \
    return __builtin_bit_cast(type, __nvvm_atom_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));      \
  }                                                                                                  \
  PTXSAN_BUILTIN type name##_block(type *p, type v) {                                                \
    return __builtin_bit_cast(type, __nvvm_atom_cta_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));  \
  }                                                                                                  \
  PTXSAN_BUILTIN type name##_system(type *p, type v) {                                               \
    return __builtin_bit_cast(type, __nvvm_atom_sys_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));  \
  }

#define PTXSAN_ATOMIC_CAS(type, word, suffix)                                                        \
  PTXSAN_BUILTIN type atomicCAS(type *p, type c, type v) {                                           \
    return (type)__nvvm_atom_cas_gen_##suffix((word *)p, (word)c, (word)v);                          \
  }                                                                                                  \
  PTXSAN_BUILTIN type atomicCAS_block(type *p, type c, type v) {                                     \
    return (type)__nvvm_atom_cta_cas_gen_##suffix((word *)p, (word)c, (word)v);                      \
  }                                                                                                  \
  PTXSAN_BUILTIN type atomicCAS_system(type *p, type c, type v) {                                    \
    return (type)__nvvm_atom_sys_cas_gen_##suffix((word *)p, (word)c, (word)v);                      \
  }

PTXSAN_ATOMIC(atomicAdd, add, int, int, i)
PTXSAN_ATOMIC(atomicAdd, add, unsigned, int, i)
PTXSAN_ATOMIC(atomicAdd, add, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicAdd, add, float, float, f)
PTXSAN_ATOMIC(atomicAdd, add, double, double, d)
PTXSAN_ATOMIC(atomicExch, xchg, int, int, i)
PTXSAN_ATOMIC(atomicExch, xchg, unsigned, int, i)
PTXSAN_ATOMIC(atomicExch, xchg, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicExch, xchg, float, int, i)
PTXSAN_ATOMIC(atomicAnd, and, long long, long long, ll)
PTXSAN_ATOMIC(atomicAnd, and, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicOr, or, long long, long long, ll)
PTXSAN_ATOMIC(atomicOr, or, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicXor, xor, long long, long long, ll)
PTXSAN_ATOMIC(atomicXor, xor, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicMin, min, long long, long long, ll)
PTXSAN_ATOMIC(atomicMin, min, unsigned long long, unsigned long long, ull)
PTXSAN_ATOMIC(atomicMax, max, long long, long long, ll)
PTXSAN_ATOMIC(atomicMax, max, unsigned long long, unsigned long long, ull)
PTXSAN_ATOMIC(atomicInc, inc, unsigned, unsigned, ui)
PTXSAN_ATOMIC(atomicDec, dec, unsigned, unsigned, ui)
PTXSAN_ATOMIC(atomicAnd, and, int, int, i)
PTXSAN_ATOMIC(atomicAnd, and, unsigned, int, i)
PTXSAN_ATOMIC(atomicOr, or, int, int, i)
PTXSAN_ATOMIC(atomicOr, or, unsigned, int, i)
PTXSAN_ATOMIC(atomicXor, xor, int, int, i)
PTXSAN_ATOMIC(atomicXor, xor, unsigned, int, i)
PTXSAN_ATOMIC(atomicMin, min, int, int, i)
PTXSAN_ATOMIC(atomicMin, min, unsigned, unsigned, ui)
PTXSAN_ATOMIC(atomicMax, max, int, int, i)
PTXSAN_ATOMIC(atomicMax, max, unsigned, unsigned, ui)
PTXSAN_ATOMIC_CAS(int, int, i)
PTXSAN_ATOMIC_CAS(unsigned, int, i)
PTXSAN_ATOMIC_CAS(unsigned long long, long long, ll)

// 16 bits, from sm_70 on, for which clang has no builtin.
PTXSAN_BUILTIN unsigned short atomicCAS(unsigned short *p, unsigned short c, unsigned short v) {
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(c) : "l"(p), "h"(c), "h"(v) : "memory");
  return c;
}

#define PTXSAN_ATOMIC_SUB(scope)                                                                     \
  PTXSAN_BUILTIN int atomicSub##scope(int *p, int v) { return atomicAdd##scope(p, (int)(0u - v)); }  \
  PTXSAN_BUILTIN unsigned atomicSub##scope(unsigned *p, unsigned v) { return atomicAdd##scope(p, 0u - v); }

PTXSAN_ATOMIC_SUB()
PTXSAN_ATOMIC_SUB(_block)
PTXSAN_ATOMIC_SUB(_system)
