// Integers: bits, bytes, shifts, products, sums of differences, dot products, averages, abs, and min and max of all
// types. Part of cuda_builtins.h, which includes it.
#pragma once

// Bits.

PTXSAN_BUILTIN int __popc(unsigned v) { return __builtin_popcount(v); }
PTXSAN_BUILTIN int __clz(int v) { return v == 0 ? 32 : __builtin_clz(v); }
PTXSAN_BUILTIN int __ffs(int v) { return __builtin_ffs(v); }
PTXSAN_BUILTIN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
PTXSAN_BUILTIN int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(v); }
PTXSAN_BUILTIN int __ffsll(long long v) { return __builtin_ffsll(v); }
PTXSAN_BUILTIN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
PTXSAN_BUILTIN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }

// Bytes 0 to 3 are those of a, 4 to 7 those of b; a digit of the selector is the number of one, by its lower 3 bits.
PTXSAN_BUILTIN unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) { return __nvvm_prmt(a, b, selector & 0x7777); }

// One instruction of three operands. PTXSAN_TERNARY declares it.

#define PTXSAN_TERNARY(name, instruction, type, a_type, b_type, c_type)                              \
  PTXSAN_BUILTIN type name(a_type a, b_type b, c_type c) {                                           \
    type r;                                                                                          \
    asm(instruction " %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));                          \
    return r;                                                                                        \
  }

PTXSAN_TERNARY(__funnelshift_l, "shf.l.wrap.b32", unsigned, unsigned, unsigned, unsigned)  // low word, high word, by
PTXSAN_TERNARY(__funnelshift_lc, "shf.l.clamp.b32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__funnelshift_r, "shf.r.wrap.b32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__funnelshift_rc, "shf.r.clamp.b32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__sad, "sad.s32", unsigned, int, int, unsigned)
PTXSAN_TERNARY(__usad, "sad.u32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__dp4a, "dp4a.s32.s32", int, int, int, int)
PTXSAN_TERNARY(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int, int)
PTXSAN_TERNARY(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned, unsigned)
PTXSAN_TERNARY(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int, int)
PTXSAN_TERNARY(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned, unsigned)

// The dot products of vectors.

#define PTXSAN_DOT(name, type, a_type, b_type)                                                       \
  PTXSAN_BUILTIN type name(a_type a, b_type b, type c) {                                             \
    return name(__builtin_bit_cast(type, a), __builtin_bit_cast(type, b), c);                        \
  }

PTXSAN_DOT(__dp4a, int, char4, char4)
PTXSAN_DOT(__dp4a, unsigned, uchar4, uchar4)
PTXSAN_DOT(__dp2a_lo, int, short2, char4)
PTXSAN_DOT(__dp2a_lo, unsigned, ushort2, uchar4)
PTXSAN_DOT(__dp2a_hi, int, short2, char4)
PTXSAN_DOT(__dp2a_hi, unsigned, ushort2, uchar4)

// Products: the upper half of all bits, and the lower 32 bits of the product of 24.

PTXSAN_BUILTIN int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
PTXSAN_BUILTIN unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
PTXSAN_BUILTIN long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
PTXSAN_BUILTIN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
PTXSAN_BUILTIN int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
PTXSAN_BUILTIN unsigned __umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }

// Averages without overflow, rounded down, and up where the name has an r.

PTXSAN_BUILTIN int __hadd(int a, int b) { return ((long long)a + b) >> 1; }
PTXSAN_BUILTIN int __rhadd(int a, int b) { return ((long long)a + b + 1) >> 1; }
PTXSAN_BUILTIN unsigned __uhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b) >> 1; }
PTXSAN_BUILTIN unsigned __urhadd(unsigned a, unsigned b) { return ((unsigned long long)a + b + 1) >> 1; }

PTXSAN_BUILTIN int abs(int v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN long abs(long v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN long long abs(long long v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN float abs(float v) { return __builtin_fabsf(v); }
PTXSAN_BUILTIN double abs(double v) { return __builtin_fabs(v); }
PTXSAN_BUILTIN long labs(long v) { return v < 0 ? -v : v; }
PTXSAN_BUILTIN long long llabs(long long v) { return v < 0 ? -v : v; }

// min and max, in host code as well, for all pairs of types that CUDA's have: of int and unsigned
// the result is unsigned.

#define PTXSAN_EXTREMES(type, a_type, b_type)                                                        \
  PTXSAN_BOTH type min(a_type a, b_type b) { return (type)a < (type)b ? (type)a : (type)b; }         \
  PTXSAN_BOTH type max(a_type a, b_type b) { return (type)a > (type)b ? (type)a : (type)b; }

#define PTXSAN_INTEGER_EXTREMES(signed_type, unsigned_type)                                          \
  PTXSAN_EXTREMES(signed_type, signed_type, signed_type)                                             \
  PTXSAN_EXTREMES(unsigned_type, unsigned_type, unsigned_type)                                       \
  PTXSAN_EXTREMES(unsigned_type, signed_type, unsigned_type)                                         \
  PTXSAN_EXTREMES(unsigned_type, unsigned_type, signed_type)

PTXSAN_INTEGER_EXTREMES(int, unsigned)
PTXSAN_INTEGER_EXTREMES(long, unsigned long)
PTXSAN_INTEGER_EXTREMES(long long, unsigned long long)

#define PTXSAN_FLOAT_EXTREMES(type, a_type, b_type, suffix)                                          \
  PTXSAN_BOTH type min(a_type a, b_type b) { return __builtin_fmin##suffix(a, b); }                  \
  PTXSAN_BOTH type max(a_type a, b_type b) { return __builtin_fmax##suffix(a, b); }

PTXSAN_FLOAT_EXTREMES(float, float, float, f)
PTXSAN_FLOAT_EXTREMES(double, double, double, )
PTXSAN_FLOAT_EXTREMES(double, float, double, )
PTXSAN_FLOAT_EXTREMES(double, double, float, )
