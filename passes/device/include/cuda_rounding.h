// Floating-point arithmetic with a rounding mode, as one instruction each, which the compiler does not merge with
// others: __fadd_rn and its kin. Part of cuda_builtins.h, which includes it.
#pragma once

#define PTXSAN_ROUNDED1(name, instruction, type, c)                                                  \
  PTXSAN_BUILTIN type name(type a) {                                                                 \
    type r;                                                                                          \
    asm(instruction " %0, %1;" : "=" c(r) : c(a));                                                   \
    return r;                                                                                        \
  }

#define PTXSAN_ROUNDED2(name, instruction, type, c)                                                  \
  PTXSAN_BUILTIN type name(type a, type b) {                                                         \
    type r;                                                                                          \
    asm(instruction " %0, %1, %2;" : "=" c(r) : c(a), c(b));                                         \
    return r;                                                                                        \
  }

#define PTXSAN_ROUNDED3(name, instruction, type, c)                                                  \
  PTXSAN_BUILTIN type name(type a, type b, type m) {                                                 \
    type r;                                                                                          \
    asm(instruction " %0, %1, %2, %3;" : "=" c(r) : c(a), c(b), c(m));                               \
    return r;                                                                                        \
  }

// Each function in CUDA's four modes: to the nearest even, towards zero, up and down.

#define PTXSAN_MODES(n, name, op, type, s, c)                                                        \
  PTXSAN_ROUNDED##n(name##_rn, op ".rn." s, type, c)                                                 \
  PTXSAN_ROUNDED##n(name##_rz, op ".rz." s, type, c)                                                 \
  PTXSAN_ROUNDED##n(name##_ru, op ".rp." s, type, c)                                                 \
  PTXSAN_ROUNDED##n(name##_rd, op ".rm." s, type, c)

PTXSAN_MODES(2, __fadd, "add", float, "f32", "f")
PTXSAN_MODES(2, __fsub, "sub", float, "f32", "f")
PTXSAN_MODES(2, __fmul, "mul", float, "f32", "f")
PTXSAN_MODES(2, __fdiv, "div", float, "f32", "f")
PTXSAN_MODES(3, __fmaf, "fma", float, "f32", "f")
PTXSAN_MODES(1, __frcp, "rcp", float, "f32", "f")
PTXSAN_MODES(1, __fsqrt, "sqrt", float, "f32", "f")
PTXSAN_MODES(2, __dadd, "add", double, "f64", "d")
PTXSAN_MODES(2, __dsub, "sub", double, "f64", "d")
PTXSAN_MODES(2, __dmul, "mul", double, "f64", "d")
PTXSAN_MODES(2, __ddiv, "div", double, "f64", "d")
PTXSAN_MODES(3, __fma, "fma", double, "f64", "d")
PTXSAN_MODES(1, __drcp, "rcp", double, "f64", "d")
PTXSAN_MODES(1, __dsqrt, "sqrt", double, "f64", "d")
