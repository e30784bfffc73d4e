// Functions of floating-point numbers that need no library: roots, rounding to integers, sign, extremes, properties,
// and the fast approximations of CUDA. Part of cuda_builtins.h, which includes it.
#pragma once

// For each function one of float, under C's name and as an overload, and one of double. As in C++ integers are taken as
// double, and so are the arguments of a function of several where not all are float.

template <typename R, bool> struct ptxsan_enabled;
template <typename R> struct ptxsan_enabled<R, true> { typedef R type; };

#define PTXSAN_OF_INTEGERS(name, result)                                                              \
  template <typename A> PTXSAN_BUILTIN typename ptxsan_enabled<result, __is_integral(A)>::type name(A v) { return name((double)v); }

#define PTXSAN_UNARY(name)                                                                           \
  PTXSAN_BUILTIN float name##f(float v) { return __builtin_##name##f(v); }                           \
  PTXSAN_BUILTIN float name(float v) { return __builtin_##name##f(v); }                              \
  PTXSAN_BUILTIN double name(double v) { return __builtin_##name(v); }                               \
  PTXSAN_OF_INTEGERS(name, double)

#define PTXSAN_BINARY(name)                                                                          \
  PTXSAN_BUILTIN float name##f(float a, float b) { return __builtin_##name##f(a, b); }               \
  PTXSAN_BUILTIN float name(float a, float b) { return __builtin_##name##f(a, b); }                  \
  PTXSAN_BUILTIN double name(double a, double b) { return __builtin_##name(a, b); }                  \
  template <typename A, typename B>                                                                  \
  PTXSAN_BUILTIN typename ptxsan_enabled<double, __is_arithmetic(A) && __is_arithmetic(B)>::type name(A a, B b) { \
    return name((double)a, (double)b);                                                               \
  }

PTXSAN_UNARY(fabs)
PTXSAN_UNARY(floor)
PTXSAN_UNARY(ceil)
PTXSAN_UNARY(trunc)
PTXSAN_UNARY(rint)
PTXSAN_UNARY(nearbyint)
PTXSAN_UNARY(round)
PTXSAN_BINARY(fmin)
PTXSAN_BINARY(fmax)
PTXSAN_BINARY(copysign)

PTXSAN_BUILTIN float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
PTXSAN_BUILTIN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
PTXSAN_BUILTIN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
template <typename A, typename B, typename C>
PTXSAN_BUILTIN typename ptxsan_enabled<double, __is_arithmetic(A) && __is_arithmetic(B) && __is_arithmetic(C)>::type fma(A a, B b, C c) {
  return fma((double)a, (double)b, (double)c);
}

// Functions that are one instruction each.

#define PTXSAN_INSTRUCTION(name, instruction, type, c)                                               \
  PTXSAN_BUILTIN type name(type v) {                                                                 \
    type r;                                                                                          \
    asm(instruction " %0, %1;" : "=" c(r) : c(v));                                                   \
    return r;                                                                                        \
  }

PTXSAN_INSTRUCTION(sqrtf, "sqrt.rn.f32", float, "f")
PTXSAN_INSTRUCTION(sqrt, "sqrt.rn.f64", double, "d")
PTXSAN_BUILTIN float sqrt(float v) { return sqrtf(v); }
PTXSAN_OF_INTEGERS(sqrt, double)
PTXSAN_INSTRUCTION(rsqrtf, "rsqrt.approx.f32", float, "f")
PTXSAN_INSTRUCTION(rsqrt, "rsqrt.approx.f64", double, "d")
PTXSAN_BUILTIN float rsqrt(float v) { return rsqrtf(v); }
PTXSAN_INSTRUCTION(__saturatef, "cvt.sat.f32.f32", float, "f")
PTXSAN_INSTRUCTION(__log2f, "lg2.approx.f32", float, "f")
PTXSAN_INSTRUCTION(__sinf, "sin.approx.f32", float, "f")
PTXSAN_INSTRUCTION(__cosf, "cos.approx.f32", float, "f")
PTXSAN_INSTRUCTION(exp2f, "ex2.approx.f32", float, "f")

// The fast approximations that the CUDA C++ Programming Guide defines by those.

PTXSAN_BUILTIN float __fdividef(float a, float b) {
  float r;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
}
PTXSAN_BUILTIN float __tanf(float v) { return __fdividef(__sinf(v), __cosf(v)); }
PTXSAN_BUILTIN void __sincosf(float v, float *sine, float *cosine) { *sine = __sinf(v), *cosine = __cosf(v); }
PTXSAN_BUILTIN float __logf(float v) { return __log2f(v) * 0x1.62e43p-1f; }      // by ln 2
PTXSAN_BUILTIN float __log10f(float v) { return __log2f(v) * 0x1.344136p-2f; }   // by log10 2
PTXSAN_BUILTIN float __expf(float v) { return exp2f(v * 0x1.715476p+0f); }   // by log2 e
PTXSAN_BUILTIN float __exp10f(float v) { return exp2f(v * 0x1.a934f0p+1f); } // by log2 10
PTXSAN_BUILTIN float __powf(float base, float exponent) { return exp2f(exponent * __log2f(base)); }
PTXSAN_BUILTIN float fdividef(float a, float b) { return a / b; }

// Properties.

#define PTXSAN_PROPERTIES(type)                                                                      \
  PTXSAN_BUILTIN bool isnan(type v) { return __builtin_isnan(v); }                                   \
  PTXSAN_BUILTIN bool isinf(type v) { return __builtin_isinf(v); }                                   \
  PTXSAN_BUILTIN bool isfinite(type v) { return __builtin_isfinite(v); }                             \
  PTXSAN_BUILTIN bool signbit(type v) { return __builtin_signbit(v); }

PTXSAN_PROPERTIES(float)
PTXSAN_PROPERTIES(double)
PTXSAN_OF_INTEGERS(isnan, bool)
PTXSAN_OF_INTEGERS(isinf, bool)
PTXSAN_OF_INTEGERS(isfinite, bool)
PTXSAN_OF_INTEGERS(signbit, bool)
