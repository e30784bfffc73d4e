// Functions of CUDA's mathematical library (CUDA Math API), declared for device code. Their bodies are NVIDIA's libdevice: without it
// device code cannot be compiled, but the host code beside it can be read.
#pragma once

#define PTXSAN_LIBDEVICE(result, name, ...) __attribute__((device)) result name(__VA_ARGS__);

#define PTXSAN_OF_ONE(name)                      \
  PTXSAN_LIBDEVICE(float, name##f, float)        \
  PTXSAN_LIBDEVICE(float, name, float)           \
  PTXSAN_LIBDEVICE(double, name, double)

#define PTXSAN_OF_TWO(name)                      \
  PTXSAN_LIBDEVICE(float, name##f, float, float) \
  PTXSAN_LIBDEVICE(float, name, float, float)    \
  PTXSAN_LIBDEVICE(double, name, double, double)

PTXSAN_OF_ONE(exp)
PTXSAN_OF_ONE(exp10)
PTXSAN_OF_ONE(expm1)
PTXSAN_OF_ONE(log)
PTXSAN_OF_ONE(log2)
PTXSAN_OF_ONE(log10)
PTXSAN_OF_ONE(log1p)
PTXSAN_OF_ONE(logb)
PTXSAN_OF_ONE(sin)
PTXSAN_OF_ONE(cos)
PTXSAN_OF_ONE(tan)
PTXSAN_OF_ONE(asin)
PTXSAN_OF_ONE(acos)
PTXSAN_OF_ONE(atan)
PTXSAN_OF_ONE(sinh)
PTXSAN_OF_ONE(cosh)
PTXSAN_OF_ONE(tanh)
PTXSAN_OF_ONE(asinh)
PTXSAN_OF_ONE(acosh)
PTXSAN_OF_ONE(atanh)
PTXSAN_OF_ONE(sinpi)
PTXSAN_OF_ONE(cospi)
PTXSAN_OF_ONE(cbrt)
PTXSAN_OF_ONE(rcbrt)
PTXSAN_OF_ONE(erf)
PTXSAN_OF_ONE(erfc)
PTXSAN_OF_ONE(erfinv)
PTXSAN_OF_ONE(erfcinv)
PTXSAN_OF_ONE(normcdf)
PTXSAN_OF_ONE(normcdfinv)
PTXSAN_OF_ONE(lgamma)
PTXSAN_OF_ONE(tgamma)
PTXSAN_OF_TWO(pow)
PTXSAN_OF_TWO(atan2)
PTXSAN_OF_TWO(hypot)
PTXSAN_OF_TWO(fmod)
PTXSAN_OF_TWO(remainder)
PTXSAN_OF_TWO(fdim)
PTXSAN_OF_TWO(nextafter)
PTXSAN_LIBDEVICE(float, powif, float, int)
PTXSAN_LIBDEVICE(double, powi, double, int)
PTXSAN_LIBDEVICE(float, ldexpf, float, int)
PTXSAN_LIBDEVICE(float, ldexp, float, int)
PTXSAN_LIBDEVICE(double, ldexp, double, int)
PTXSAN_LIBDEVICE(float, scalbnf, float, int)
PTXSAN_LIBDEVICE(double, scalbn, double, int)
PTXSAN_LIBDEVICE(float, frexpf, float, int *)
PTXSAN_LIBDEVICE(double, frexp, double, int *)
PTXSAN_LIBDEVICE(float, modff, float, float *)
PTXSAN_LIBDEVICE(double, modf, double, double *)
PTXSAN_LIBDEVICE(void, sincosf, float, float *, float *)
PTXSAN_LIBDEVICE(void, sincos, double, double *, double *)
PTXSAN_LIBDEVICE(void, sincospif, float, float *, float *)
PTXSAN_LIBDEVICE(void, sincospi, double, double *, double *)
PTXSAN_LIBDEVICE(long int, lroundf, float)
PTXSAN_LIBDEVICE(long int, lround, double)
PTXSAN_LIBDEVICE(long int, lrintf, float)
PTXSAN_LIBDEVICE(long int, lrint, double)
PTXSAN_LIBDEVICE(long long int, llroundf, float)
PTXSAN_LIBDEVICE(long long int, llround, double)
PTXSAN_LIBDEVICE(int, ilogbf, float)
PTXSAN_LIBDEVICE(int, ilogb, double)
PTXSAN_LIBDEVICE(float, __sinf, float)
PTXSAN_LIBDEVICE(float, __cosf, float)
PTXSAN_LIBDEVICE(float, __tanf, float)
PTXSAN_LIBDEVICE(float, __logf, float)
PTXSAN_LIBDEVICE(float, __log10f, float)
PTXSAN_LIBDEVICE(float, norm3df, float, float, float)
PTXSAN_LIBDEVICE(float, rnorm3df, float, float, float)
PTXSAN_LIBDEVICE(float, rhypotf, float, float)

// What cooperative groups use (cooperative_groups/details), besides.
PTXSAN_LIBDEVICE(void, __barrier_sync, unsigned)
PTXSAN_LIBDEVICE(void, __barrier_sync_count, unsigned, unsigned)
PTXSAN_LIBDEVICE(unsigned, __fns, unsigned, unsigned, int)

#undef PTXSAN_OF_ONE
#undef PTXSAN_OF_TWO
#undef PTXSAN_LIBDEVICE
