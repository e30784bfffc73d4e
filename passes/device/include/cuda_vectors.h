// The vector types of CUDA, of one to four elements, the functions that make them, and dim3, in host code as well.
// Part of cuda_builtins.h, which includes it.
#pragma once

// PTXSAN_VECTOR declares the types of one element type. CUDA aligns those of two and four to their size, up to 16
// bytes, and those of one and three to the element's.
#define PTXSAN_VECTOR(type, name, align2, align4)                                                    \
  struct name##1 { type x; };                                                                        \
  struct __align__(align2) name##2 { type x, y; };                                                   \
  struct name##3 { type x, y, z; };                                                                  \
  struct __align__(align4) name##4 { type x, y, z, w; };                                             \
  PTXSAN_BOTH name##1 make_##name##1(type x) { return {x}; }                                         \
  PTXSAN_BOTH name##2 make_##name##2(type x, type y) { return {x, y}; }                              \
  PTXSAN_BOTH name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                   \
  PTXSAN_BOTH name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

PTXSAN_VECTOR(signed char, char, 2, 4)
PTXSAN_VECTOR(unsigned char, uchar, 2, 4)
PTXSAN_VECTOR(short, short, 4, 8)
PTXSAN_VECTOR(unsigned short, ushort, 4, 8)
PTXSAN_VECTOR(int, int, 8, 16)
PTXSAN_VECTOR(unsigned, uint, 8, 16)
PTXSAN_VECTOR(long, long, 2 * sizeof(long), 16)
PTXSAN_VECTOR(unsigned long, ulong, 2 * sizeof(long), 16)
PTXSAN_VECTOR(long long, longlong, 16, 16)
PTXSAN_VECTOR(unsigned long long, ulonglong, 16, 16)
PTXSAN_VECTOR(float, float, 8, 16)
PTXSAN_VECTOR(double, double, 16, 16)

// dim3 is the extents of a grid or a block. A header that includes this one may say what its constructor from
// extents is.

#ifndef PTXSAN_DIM3
#define PTXSAN_DIM3 __host__ __device__ constexpr
#endif

template <typename T> struct ptxsan_if_uint3;
template <> struct ptxsan_if_uint3<uint3> { typedef int type; };

struct dim3 {
  unsigned x, y, z;
  PTXSAN_DIM3 dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  template <typename T, typename ptxsan_if_uint3<T>::type = 0>
  __host__ __device__ constexpr dim3(T v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
