// What programs of labelled suites include of CUDA, and GPUVerify's and ESBMC's annotations, which state nothing here.
#pragma once
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>
#if __has_include("cooperative_groups.h")
#include <cooperative_groups.h>
#include <math_constants.h>
#endif
#ifdef SUITE_RANDOM
#include <curand_kernel.h>
#include <curand_mtgp32_kernel.h>
#endif
#ifdef SUITE_VECTORS
#include "vectors.h"
#endif

typedef unsigned int uint;

// Forms of before CUDA 9, which name no lanes.
#define __shfl(...) __shfl_sync(0xffffffff, __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(0xffffffff, __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(0xffffffff, __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(0xffffffff, __VA_ARGS__)
#define __ballot(p) __ballot_sync(0xffffffff, p)
#define __any(p) __any_sync(0xffffffff, p)
#define __all(p) __all_sync(0xffffffff, p)

#define __requires(...) ((void)0)
#define __ensures(...) ((void)0)
#define __assert(...) ((void)0)
#define __assume(...) ((void)0)
#define __invariant(...) true
#define __global_invariant(...) true
#define __global_assert(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __function_wide_candidate_invariant(...) ((void)0)
#define __candidate_invariant(...) true
#define __requires_fresh_array(...) ((void)0)
#define __reads_from(...) ((void)0)
#define __writes_to(...) ((void)0)
#define __axiom(...) static_assert(true, "")
#define __non_temporal(...) __VA_ARGS__
#define __barrier_invariant(...) ((void)0)
#define __barrier_invariant_1(...) ((void)0)
#define __barrier_invariant_2(...) ((void)0)
#define __barrier_invariant_binary(...) ((void)0)
#define __barrier_invariant_binary_cond(...) ((void)0)
#define __add_noovfl(x, y) ((x) + (y))
#define __add_noovfl_unsigned(x, y) ((x) + (y))
#define __ESBMC_assume(...) ((void)0)
#define __ESBMC_assert(...) ((void)0)
#define __ESBMC_atomic_begin() ((void)0)
#define __ESBMC_atomic_end() ((void)0)

// The utilities of CUDA's old samples.
#define CUT_DEVICE_INIT(...) ((void)0)
#define CUT_EXIT(...) ((void)0)
#define CUT_SAFE_MALLOC(...) __VA_ARGS__
#define CUDA_SAFE_CALL(...) __VA_ARGS__
#define CUT_SAFE_CALL(...) __VA_ARGS__
#define CUT_CHECK_ERROR(...) ((void)0)
#define cutCreateTimer(...) ((void)0)
#define cutStartTimer(...) ((void)0)
#define cutStopTimer(...) ((void)0)
#define cutResetTimer(...) ((void)0)
#define cutDeleteTimer(...) ((void)0)
#define cutGetTimerValue(...) 0.0f

// For programs that define such types in their own way.
#ifdef SUITE_TYPES
#define size_t suite_size_t
#define clock_t suite_clock_t
#endif
