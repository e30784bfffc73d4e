// How kernels hand results to the test.
#pragma once

// out is a thread's column of results: one row for each PUT, in the order of this file. The test has the value of each
// by the text of its expression.

typedef unsigned long long ull;

static inline __device__ ull bits(bool v) { return v; }
static inline __device__ ull bits(int v) { return (unsigned)v; }
static inline __device__ ull bits(unsigned v) { return v; }
static inline __device__ ull bits(long v) { return (ull)v; }
static inline __device__ ull bits(unsigned long v) { return v; }
static inline __device__ ull bits(long long v) { return (ull)v; }
static inline __device__ ull bits(ull v) { return v; }
static inline __device__ ull bits(float v) { return (unsigned)__float_as_int(v); }
static inline __device__ ull bits(double v) { return (ull)__double_as_longlong(v); }
static inline __device__ ull bits(unsigned short v) { return v; }

#define PUT(...) (*out = bits(__VA_ARGS__), out += blockDim.x)
#define KERNEL(name, type)                                                                           \
  extern "C" __global__ void name(const type *in, ull *out) {                                        \
    in += 3 * threadIdx.x, out += threadIdx.x;
