// Atomics in three scopes. Part of cuda_builtins.h, which includes it.
#pragma once

// PTXSAN_ATOMIC declares one operation in its three scopes: device (no
// suffix), block and system, as CUDA names them.

#define PTXSAN_ATOMIC(name, op, type, word, suffix)                                                  \
  PTXSAN_BUILTIN type name(type *p, type v) {                                                        \
    return __builtin_bit_cast(type, __nvvm_atom_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));      \
  }                                                                                                  \
  PTXSAN_BUILTIN type name##_block(type *p, type v) {                                                \
    return __builtin_bit_cast(type, __nvvm_atom_cta_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));  \
  }                                                                                                  \
  PTXSAN_BUILTIN type name##_system(type *p, type v) {                                               \
    return __builtin_bit_cast(type, __nvvm_atom_sys_##op##_gen_##suffix((word *)p, __builtin_bit_cast(word, v)));  \
  }

// Minimum and maximum without sign: clang's builtins for block and system compare with one.

#define PTXSAN_ATOMIC_SCOPED(name, instruction, type, c)                                             \
  PTXSAN_BUILTIN type name(type *p, type v) {                                                        \
    type r;                                                                                          \
    asm volatile(instruction " %0, [%1], %2;" : "=" c(r) : "l"(p), c(v) : "memory");                 \
    return r;                                                                                        \
  }

#define PTXSAN_ATOMIC_EXTREME(name, op, type, suffix, s, c)                                          \
  PTXSAN_BUILTIN type name(type *p, type v) { return __nvvm_atom_##op##_gen_##suffix(p, v); }        \
  PTXSAN_ATOMIC_SCOPED(name##_block, "atom.cta." #op "." s, type, c)                                 \
  PTXSAN_ATOMIC_SCOPED(name##_system, "atom.sys." #op "." s, type, c)

#define PTXSAN_ATOMIC_CAS(type, word, suffix)                                                        \
  PTXSAN_BUILTIN type atomicCAS(type *p, type c, type v) {                                           \
    return (type)__nvvm_atom_cas_gen_##suffix((word *)p, (word)c, (word)v);                          \
  }                                                                                                  \
  PTXSAN_BUILTIN type atomicCAS_block(type *p, type c, type v) {                                     \
    return (type)__nvvm_atom_cta_cas_gen_##suffix((word *)p, (word)c, (word)v);                      \
  }                                                                                                  \
  PTXSAN_BUILTIN type atomicCAS_system(type *p, type c, type v) {                                    \
    return (type)__nvvm_atom_sys_cas_gen_##suffix((word *)p, (word)c, (word)v);                      \
  }

PTXSAN_ATOMIC(atomicAdd, add, int, int, i)
PTXSAN_ATOMIC(atomicAdd, add, unsigned, int, i)
PTXSAN_ATOMIC(atomicAdd, add, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicAdd, add, float, float, f)
PTXSAN_ATOMIC(atomicAdd, add, double, double, d)
PTXSAN_ATOMIC(atomicExch, xchg, int, int, i)
PTXSAN_ATOMIC(atomicExch, xchg, unsigned, int, i)
PTXSAN_ATOMIC(atomicExch, xchg, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicExch, xchg, float, int, i)
PTXSAN_ATOMIC(atomicAnd, and, long long, long long, ll)
PTXSAN_ATOMIC(atomicAnd, and, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicOr, or, long long, long long, ll)
PTXSAN_ATOMIC(atomicOr, or, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicXor, xor, long long, long long, ll)
PTXSAN_ATOMIC(atomicXor, xor, unsigned long long, long long, ll)
PTXSAN_ATOMIC(atomicMin, min, long long, long long, ll)
PTXSAN_ATOMIC_EXTREME(atomicMin, min, unsigned long long, ull, "u64", "l")
PTXSAN_ATOMIC(atomicMax, max, long long, long long, ll)
PTXSAN_ATOMIC_EXTREME(atomicMax, max, unsigned long long, ull, "u64", "l")
PTXSAN_ATOMIC(atomicInc, inc, unsigned, unsigned, ui)
PTXSAN_ATOMIC(atomicDec, dec, unsigned, unsigned, ui)
PTXSAN_ATOMIC(atomicAnd, and, int, int, i)
PTXSAN_ATOMIC(atomicAnd, and, unsigned, int, i)
PTXSAN_ATOMIC(atomicOr, or, int, int, i)
PTXSAN_ATOMIC(atomicOr, or, unsigned, int, i)
PTXSAN_ATOMIC(atomicXor, xor, int, int, i)
PTXSAN_ATOMIC(atomicXor, xor, unsigned, int, i)
PTXSAN_ATOMIC(atomicMin, min, int, int, i)
PTXSAN_ATOMIC_EXTREME(atomicMin, min, unsigned, ui, "u32", "r")
PTXSAN_ATOMIC(atomicMax, max, int, int, i)
PTXSAN_ATOMIC_EXTREME(atomicMax, max, unsigned, ui, "u32", "r")
PTXSAN_ATOMIC_CAS(int, int, i)
PTXSAN_ATOMIC_CAS(unsigned, int, i)
PTXSAN_ATOMIC_CAS(unsigned long long, long long, ll)

// 16 bits, from sm_70 on, for which clang has no builtin, and CUDA no other scope.
PTXSAN_BUILTIN unsigned short atomicCAS(unsigned short *p, unsigned short c, unsigned short v) {
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(c) : "l"(p), "h"(c), "h"(v) : "memory");
  return c;
}

#define PTXSAN_ATOMIC_SUB(scope)                                                                     \
  PTXSAN_BUILTIN int atomicSub##scope(int *p, int v) { return atomicAdd##scope(p, (int)(0u - v)); }  \
  PTXSAN_BUILTIN unsigned atomicSub##scope(unsigned *p, unsigned v) { return atomicAdd##scope(p, 0u - v); }

PTXSAN_ATOMIC_SUB()
PTXSAN_ATOMIC_SUB(_block)
PTXSAN_ATOMIC_SUB(_system)

// Vectors in global memory, each element by itself, from sm_90 and PTX 8.1 on.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

#define PTXSAN_ATOMIC_ADD_VECTORS(name, scope)                                                       \
  PTXSAN_BUILTIN float2 name(float2 *p, float2 v) {                                                  \
    float2 r;                                                                                        \
    asm volatile("atom" scope ".global.add.v2.f32 {%0, %1}, [%2], {%3, %4};"                         \
                 : "=f"(r.x), "=f"(r.y)                                                              \
                 : "l"((__attribute__((address_space(1))) float2 *)p), "f"(v.x), "f"(v.y)            \
                 : "memory");                                                                        \
    return r;                                                                                        \
  }                                                                                                  \
  PTXSAN_BUILTIN float4 name(float4 *p, float4 v) {                                                  \
    float4 r;                                                                                        \
    asm volatile("atom" scope ".global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %6, %7, %8};"         \
                 : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)                                        \
                 : "l"((__attribute__((address_space(1))) float4 *)p), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) \
                 : "memory");                                                                        \
    return r;                                                                                        \
  }

PTXSAN_ATOMIC_ADD_VECTORS(atomicAdd, "")
PTXSAN_ATOMIC_ADD_VECTORS(atomicAdd_block, ".cta")
PTXSAN_ATOMIC_ADD_VECTORS(atomicAdd_system, ".sys")

#endif
