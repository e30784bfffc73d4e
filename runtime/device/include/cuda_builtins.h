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
PTXSAN_BUILTIN int __shfl_sync(unsigned mask, int v, int lane, int width = 32) {
  return __nvvm_shfl_sync_idx_i32(mask, v, lane, ((32 - width) << 8) | 0x1f);
}
PTXSAN_BUILTIN int __shfl_up_sync(unsigned mask, int v, unsigned delta, int width = 32) {
  return __nvvm_shfl_sync_up_i32(mask, v, delta, (32 - width) << 8);
}
PTXSAN_BUILTIN int __shfl_down_sync(unsigned mask, int v, unsigned delta, int width = 32) {
  return __nvvm_shfl_sync_down_i32(mask, v, delta, ((32 - width) << 8) | 0x1f);
}
PTXSAN_BUILTIN int __shfl_xor_sync(unsigned mask, int v, int lanes, int width = 32) {
  return __nvvm_shfl_sync_bfly_i32(mask, v, lanes, ((32 - width) << 8) | 0x1f);
}
PTXSAN_BUILTIN float __shfl_sync(unsigned mask, float v, int lane, int width = 32) {
  return __nvvm_shfl_sync_idx_f32(mask, v, lane, ((32 - width) << 8) | 0x1f);
}
PTXSAN_BUILTIN float __shfl_down_sync(unsigned mask, float v, unsigned delta, int width = 32) {
  return __nvvm_shfl_sync_down_f32(mask, v, delta, ((32 - width) << 8) | 0x1f);
}
PTXSAN_BUILTIN float __shfl_xor_sync(unsigned mask, float v, int lanes, int width = 32) {
  return __nvvm_shfl_sync_bfly_f32(mask, v, lanes, ((32 - width) << 8) | 0x1f);
}

// Integer intrinsics.

PTXSAN_BUILTIN int __popc(unsigned v) { return __builtin_popcount(v); }
PTXSAN_BUILTIN int __clz(int v) { return v == 0 ? 32 : __builtin_clz(v); }
PTXSAN_BUILTIN int __ffs(int v) { return __builtin_ffs(v); }
PTXSAN_BUILTIN int min(int a, int b) { return a < b ? a : b; }
PTXSAN_BUILTIN int max(int a, int b) { return a > b ? a : b; }
PTXSAN_BUILTIN unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
PTXSAN_BUILTIN unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }
PTXSAN_BUILTIN bool __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
PTXSAN_BUILTIN bool __isShared(const void *p) { return __nvvm_isspacep_shared(p); }

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

PTXSAN_BUILTIN int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
PTXSAN_BUILTIN unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
