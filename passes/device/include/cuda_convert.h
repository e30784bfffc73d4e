// Casts that keep the bits, and conversions with a rounding mode: __float_as_int, __float2int_rn and their kin. Part
// of cuda_builtins.h, which includes it.
#pragma once

// Casts.

#define PTXSAN_CAST(name, to, from)                                                                  \
  PTXSAN_BUILTIN to name(from v) { return __builtin_bit_cast(to, v); }

PTXSAN_CAST(__float_as_int, int, float)
PTXSAN_CAST(__float_as_uint, unsigned, float)
PTXSAN_CAST(__int_as_float, float, int)
PTXSAN_CAST(__uint_as_float, float, unsigned)
PTXSAN_CAST(__double_as_longlong, long long, double)
PTXSAN_CAST(__longlong_as_double, double, long long)

PTXSAN_BUILTIN int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
PTXSAN_BUILTIN int __double2loint(double v) { return (int)__double_as_longlong(v); }
PTXSAN_BUILTIN double __hiloint2double(int high, int low) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}

// Conversions in CUDA's four modes: to the nearest even, towards zero, up and down. They are instructions, whose
// results for values out of range are not undefined as those of C++.

#define PTXSAN_CONVERSION(name, mode, types, to, to_c, from, from_c)                                 \
  PTXSAN_BUILTIN to name(from v) {                                                                   \
    to r;                                                                                            \
    asm("cvt." mode "." types " %0, %1;" : "=" to_c(r) : from_c(v));                                 \
    return r;                                                                                        \
  }

#define PTXSAN_TO_INTEGER(name, types, to, to_c, from, from_c)                                       \
  PTXSAN_CONVERSION(name##_rn, "rni", types, to, to_c, from, from_c)                                 \
  PTXSAN_CONVERSION(name##_rz, "rzi", types, to, to_c, from, from_c)                                 \
  PTXSAN_CONVERSION(name##_ru, "rpi", types, to, to_c, from, from_c)                                 \
  PTXSAN_CONVERSION(name##_rd, "rmi", types, to, to_c, from, from_c)

#define PTXSAN_TO_FLOAT(name, types, to, to_c, from, from_c)                                         \
  PTXSAN_CONVERSION(name##_rn, "rn", types, to, to_c, from, from_c)                                  \
  PTXSAN_CONVERSION(name##_rz, "rz", types, to, to_c, from, from_c)                                  \
  PTXSAN_CONVERSION(name##_ru, "rp", types, to, to_c, from, from_c)                                  \
  PTXSAN_CONVERSION(name##_rd, "rm", types, to, to_c, from, from_c)

PTXSAN_TO_INTEGER(__float2int, "s32.f32", int, "r", float, "f")
PTXSAN_TO_INTEGER(__float2uint, "u32.f32", unsigned, "r", float, "f")
PTXSAN_TO_INTEGER(__float2ll, "s64.f32", long long, "l", float, "f")
PTXSAN_TO_INTEGER(__float2ull, "u64.f32", unsigned long long, "l", float, "f")
PTXSAN_TO_INTEGER(__double2int, "s32.f64", int, "r", double, "d")
PTXSAN_TO_INTEGER(__double2uint, "u32.f64", unsigned, "r", double, "d")
PTXSAN_TO_INTEGER(__double2ll, "s64.f64", long long, "l", double, "d")
PTXSAN_TO_INTEGER(__double2ull, "u64.f64", unsigned long long, "l", double, "d")

PTXSAN_TO_FLOAT(__int2float, "f32.s32", float, "f", int, "r")
PTXSAN_TO_FLOAT(__uint2float, "f32.u32", float, "f", unsigned, "r")
PTXSAN_TO_FLOAT(__ll2float, "f32.s64", float, "f", long long, "l")
PTXSAN_TO_FLOAT(__ull2float, "f32.u64", float, "f", unsigned long long, "l")
PTXSAN_TO_FLOAT(__ll2double, "f64.s64", double, "d", long long, "l")
PTXSAN_TO_FLOAT(__ull2double, "f64.u64", double, "d", unsigned long long, "l")
PTXSAN_TO_FLOAT(__double2float, "f32.f64", float, "f", double, "d")

PTXSAN_CONVERSION(__int2double_rn, "rn", "f64.s32", double, "d", int, "r")
PTXSAN_CONVERSION(__uint2double_rn, "rn", "f64.u32", double, "d", unsigned, "r")
