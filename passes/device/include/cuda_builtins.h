// CUDA's builtins for clang without the CUDA toolkit, under CUDA's own names and in the words of NVIDIA's
// public documentation: attributes, indices, barriers, time and control here, the rest in the files that it
// includes. Not declared is what needs libdevice, such as expf, sinf and powf; nor are cooperative groups, textures,
// half precision, matrices, operations on the bytes of a word, and cuda::atomic. What a newer GPU or PTX takes, clang
// must be told of: --cuda-gpu-arch=sm_90 --cuda-feature=+ptx81 for all.
//
// Every function is always inlined and carries no debug location of its own
// (nodebug), so that .loc directives in the PTX name the caller's line and column
// and never a line of this header.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#ifndef PTXSAN_SHARED
#define PTXSAN_SHARED __attribute__((shared))
#endif
#define __shared__ PTXSAN_SHARED
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#if __clang_major__ < 15  // later ones have the word, which C++ libraries use in attributes
#define __noinline__ __attribute__((noinline))
#endif
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
#define PTXSAN_BOTH static inline __attribute__((host, device, always_inline, nodebug))

#include "cuda_vectors.h"

// threadIdx and its kin. Reading a member reads the special register.

#define PTXSAN_MEMBER __attribute__((device, always_inline, nodebug))

#define PTXSAN_INDEX(name, sreg)                                                                     \
  struct ptxsan_##name##_t {                                                                         \
    __declspec(property(get = get_x)) unsigned x;                                                    \
    __declspec(property(get = get_y)) unsigned y;                                                    \
    __declspec(property(get = get_z)) unsigned z;                                                    \
    PTXSAN_BUILTIN unsigned get_x() { return __nvvm_read_ptx_sreg_##sreg##_x(); }                    \
    PTXSAN_BUILTIN unsigned get_y() { return __nvvm_read_ptx_sreg_##sreg##_y(); }                    \
    PTXSAN_BUILTIN unsigned get_z() { return __nvvm_read_ptx_sreg_##sreg##_z(); }                    \
    PTXSAN_MEMBER operator uint3() const { return {get_x(), get_y(), get_z()}; }                     \
    PTXSAN_MEMBER operator dim3() const { return {get_x(), get_y(), get_z()}; }                      \
  };                                                                                                 \
  extern const __device__ __attribute__((weak)) ptxsan_##name##_t name;

PTXSAN_INDEX(threadIdx, tid)
PTXSAN_INDEX(blockIdx, ctaid)
PTXSAN_INDEX(blockDim, ntid)
PTXSAN_INDEX(gridDim, nctaid)
constexpr int warpSize = 32;

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

// Time and control. A program that includes <assert.h> calls what its C library names.

#ifdef __linux__
typedef long clock_t;
#endif

PTXSAN_BUILTIN long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks) : : "memory");
  return ticks;
}
PTXSAN_BUILTIN long clock() { return (long)clock64(); }
PTXSAN_BUILTIN void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
PTXSAN_BUILTIN void __trap() { asm volatile("trap;"); }
PTXSAN_BUILTIN void __brkpt() { asm volatile("brkpt;"); }

extern "C" __device__ void __assertfail(const void *message, const void *file, unsigned line, const void *function, size_t character);

PTXSAN_BUILTIN void __assert_fail(const char *message, const char *file, unsigned line, const char *function) {
  __assertfail(message, file, line, function, 1);
}

// Memory.

extern "C" __device__ void *malloc(size_t size);
extern "C" __device__ void free(void *p);
PTXSAN_BUILTIN void *memcpy(void *to, const void *from, size_t size) { return __builtin_memcpy(to, from, size); }
PTXSAN_BUILTIN void *memset(void *p, int value, size_t size) { return __builtin_memset(p, value, size); }

#include "cuda_atomics.h"
#include "cuda_convert.h"
#include "cuda_integer.h"
#include "cuda_math.h"
#include "cuda_memory.h"
#include "cuda_rounding.h"
#include "cuda_warp.h"
