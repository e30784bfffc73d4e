// target: sm_90 ptx81
// What needs a newer GPU: reductions of a warp, and atomics of vectors; and what nvcc does not compile.
#include "results.h"

KERNEL(reductions, int)
  int i = in[0];
  unsigned a = i;
  PUT(__reduce_add_sync(~0u, i));
  PUT(__reduce_add_sync(~0u, a));
  PUT(__reduce_min_sync(~0u, i));
  PUT(__reduce_min_sync(~0u, a));
  PUT(__reduce_max_sync(~0u, i));
  PUT(__reduce_max_sync(~0u, a));
  PUT(__reduce_and_sync(~0u, a));
  PUT(__reduce_or_sync(~0u, a));
  PUT(__reduce_xor_sync(~0u, a));
}

// Integers are taken as double, which nvcc leaves to the C++ library.
#ifdef __clang__
KERNEL(promoted, int)
  int i = in[0];
  float f = in[1];
  PUT(fabs(i));
  PUT(floor(i));
  PUT(ceil(i));
  PUT(trunc(i));
  PUT(rint(i));
  PUT(nearbyint(i));
  PUT(round(i));
  PUT(sqrt(i * i));
  PUT(fmin(f, i));
  PUT(fmax(i, 2.5));
  PUT(copysign(i, f));
  PUT(fma(i, f, 0.5));
  PUT(isnan(i));
  PUT(isinf(i));
  PUT(isfinite(i));
  PUT(signbit(i));
}
#endif

#if __CUDA_ARCH__ >= 900

// The old values, then the new ones; two and four have the first value everywhere.
#define VECTOR_ATOMICS(scope)                                                                        \
  extern "C" __global__ void vector_atomics##scope(const float *in, ull *out, float2 *two, float4 *four) { \
    float2 a = atomicAdd##scope(two, make_float2(in[0], in[1]));                                     \
    float4 b = atomicAdd##scope(four, make_float4(in[0], in[1], in[2], in[3]));                      \
    PUT(a.x), PUT(a.y), PUT(b.x), PUT(b.y), PUT(b.z), PUT(b.w);                                      \
    PUT(two->x), PUT(two->y), PUT(four->x), PUT(four->y), PUT(four->z), PUT(four->w);                \
  }

VECTOR_ATOMICS()
VECTOR_ATOMICS(_block)
VECTOR_ATOMICS(_system)

#endif
