// What programs of labelled suites include of CUDA, and GPUVerify's and ESBMC's annotations, which state nothing here.
#pragma once
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

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
