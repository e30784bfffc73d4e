// Memory: state spaces of addresses, and loads and stores with cache operators. Part of cuda_builtins.h, which
// includes it.
#pragma once

// State spaces.

PTXSAN_BUILTIN bool __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
PTXSAN_BUILTIN bool __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
PTXSAN_BUILTIN bool __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
PTXSAN_BUILTIN bool __isConstant(const void *p) { return __nvvm_isspacep_const(p); }

#define PTXSAN_SPACE(name, number)                                                                   \
  PTXSAN_BUILTIN size_t __cvta_generic_to_##name(const void *p) {                                    \
    return (size_t)(__attribute__((address_space(number))) const void *)p;                           \
  }                                                                                                  \
  PTXSAN_BUILTIN void *__cvta_##name##_to_generic(size_t p) {                                        \
    return (void *)(__attribute__((address_space(number))) void *)p;                                 \
  }

PTXSAN_SPACE(global, 1)
PTXSAN_SPACE(shared, 3)
PTXSAN_SPACE(constant, 4)
PTXSAN_SPACE(local, 5)

// Loads by the path for data that nothing writes.

#define PTXSAN_LDG(type, word, suffix)                                                               \
  PTXSAN_BUILTIN type __ldg(const type *p) { return (type)__nvvm_ldg_##suffix((const word *)p); }

PTXSAN_LDG(char, char, c)
PTXSAN_LDG(signed char, signed char, sc)
PTXSAN_LDG(unsigned char, unsigned char, uc)
PTXSAN_LDG(short, short, s)
PTXSAN_LDG(unsigned short, unsigned short, us)
PTXSAN_LDG(int, int, i)
PTXSAN_LDG(unsigned, unsigned, ui)
PTXSAN_LDG(long, long, l)
PTXSAN_LDG(unsigned long, unsigned long, ul)
PTXSAN_LDG(long long, long long, ll)
PTXSAN_LDG(unsigned long long, unsigned long long, ull)
PTXSAN_LDG(float, float, f)
PTXSAN_LDG(double, double, d)

// What CUDA declares for each of many types: PTXSAN_SCALARS and the other expand f1, f2 and f4 for those of
// one, two and four elements, with the type, its element, and the element's PTX type, constraint and register.

#if __SIZEOF_LONG__ == 8
#define PTXSAN_LONGS(f, ...)                                                                         \
  f(__VA_ARGS__, long, long, "s64", "l", long)                                                       \
  f(__VA_ARGS__, unsigned long, unsigned long, "u64", "l", unsigned long)
#else
#define PTXSAN_LONGS(f, ...)                                                                         \
  f(__VA_ARGS__, long, long, "s32", "r", long)                                                       \
  f(__VA_ARGS__, unsigned long, unsigned long, "u32", "r", unsigned long)
#endif

#define PTXSAN_SCALARS(f, ...)                                                                       \
  f##1(__VA_ARGS__, char, char, "s8", "r", int)                                                      \
  f##1(__VA_ARGS__, signed char, signed char, "s8", "r", int)                                        \
  f##1(__VA_ARGS__, unsigned char, unsigned char, "u8", "r", unsigned)                               \
  f##1(__VA_ARGS__, short, short, "s16", "h", short)                                                 \
  f##1(__VA_ARGS__, unsigned short, unsigned short, "u16", "h", unsigned short)                      \
  f##1(__VA_ARGS__, int, int, "s32", "r", int)                                                       \
  f##1(__VA_ARGS__, unsigned, unsigned, "u32", "r", unsigned)                                        \
  f##1(__VA_ARGS__, long long, long long, "s64", "l", long long)                                     \
  f##1(__VA_ARGS__, unsigned long long, unsigned long long, "u64", "l", unsigned long long)          \
  f##1(__VA_ARGS__, float, float, "f32", "f", float)                                                 \
  f##1(__VA_ARGS__, double, double, "f64", "d", double)                                              \
  PTXSAN_LONGS(f##1, __VA_ARGS__)

#define PTXSAN_VECTORS_OF_2_AND_4(f, ...)                                                            \
  f##2(__VA_ARGS__, char2, signed char, "s8", "r", int)                                              \
  f##2(__VA_ARGS__, uchar2, unsigned char, "u8", "r", unsigned)                                      \
  f##2(__VA_ARGS__, short2, short, "s16", "h", short)                                                \
  f##2(__VA_ARGS__, ushort2, unsigned short, "u16", "h", unsigned short)                             \
  f##2(__VA_ARGS__, int2, int, "s32", "r", int)                                                      \
  f##2(__VA_ARGS__, uint2, unsigned, "u32", "r", unsigned)                                           \
  f##2(__VA_ARGS__, longlong2, long long, "s64", "l", long long)                                     \
  f##2(__VA_ARGS__, ulonglong2, unsigned long long, "u64", "l", unsigned long long)                  \
  f##2(__VA_ARGS__, float2, float, "f32", "f", float)                                                \
  f##2(__VA_ARGS__, double2, double, "f64", "d", double)                                             \
  f##4(__VA_ARGS__, char4, signed char, "s8", "r", int)                                              \
  f##4(__VA_ARGS__, uchar4, unsigned char, "u8", "r", unsigned)                                      \
  f##4(__VA_ARGS__, short4, short, "s16", "h", short)                                                \
  f##4(__VA_ARGS__, ushort4, unsigned short, "u16", "h", unsigned short)                             \
  f##4(__VA_ARGS__, int4, int, "s32", "r", int)                                                      \
  f##4(__VA_ARGS__, uint4, unsigned, "u32", "r", unsigned)                                           \
  f##4(__VA_ARGS__, float4, float, "f32", "f", float)

#define PTXSAN_GLOBAL(type, p) "l"((__attribute__((address_space(1))) type *)p)

// Loads.

#define PTXSAN_LOAD1(name, how, op, clobber, type, element, s, c, word)                              \
  PTXSAN_BUILTIN type name(const type *p) {                                                          \
    word x;                                                                                          \
    asm how("ld.global." op "." s " %0, [%1];" : "=" c(x) : PTXSAN_GLOBAL(const type, p) clobber);   \
    return x;                                                                                        \
  }

#define PTXSAN_LOAD2(name, how, op, clobber, type, element, s, c, word)                              \
  PTXSAN_BUILTIN type name(const type *p) {                                                          \
    word x, y;                                                                                       \
    asm how("ld.global." op ".v2." s " {%0, %1}, [%2];"                                              \
            : "=" c(x), "=" c(y)                                                                     \
            : PTXSAN_GLOBAL(const type, p) clobber);                                                 \
    return {(element)x, (element)y};                                                                 \
  }

#define PTXSAN_LOAD4(name, how, op, clobber, type, element, s, c, word)                              \
  PTXSAN_BUILTIN type name(const type *p) {                                                          \
    word x, y, z, w;                                                                                 \
    asm how("ld.global." op ".v4." s " {%0, %1, %2, %3}, [%4];"                                      \
            : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                                                 \
            : PTXSAN_GLOBAL(const type, p) clobber);                                                 \
    return {(element)x, (element)y, (element)z, (element)w};                                         \
  }

#define PTXSAN_MEMORY : "memory"

#define PTXSAN_LOADS(name, op)                                                                       \
  PTXSAN_SCALARS(PTXSAN_LOAD, name, volatile, op, PTXSAN_MEMORY)                                     \
  PTXSAN_VECTORS_OF_2_AND_4(PTXSAN_LOAD, name, volatile, op, PTXSAN_MEMORY)

PTXSAN_VECTORS_OF_2_AND_4(PTXSAN_LOAD, __ldg, , "nc", )
PTXSAN_LOADS(__ldca, "ca")
PTXSAN_LOADS(__ldcg, "cg")
PTXSAN_LOADS(__ldcs, "cs")
PTXSAN_LOADS(__ldlu, "lu")
PTXSAN_LOADS(__ldcv, "cv")

// Stores.

#define PTXSAN_STORE1(name, op, type, element, s, c, word)                                           \
  PTXSAN_BUILTIN void name(type *p, type v) {                                                        \
    asm volatile("st.global." op "." s " [%0], %1;" : : PTXSAN_GLOBAL(type, p), c((word)v) : "memory"); \
  }

#define PTXSAN_STORE2(name, op, type, element, s, c, word)                                           \
  PTXSAN_BUILTIN void name(type *p, type v) {                                                        \
    asm volatile("st.global." op ".v2." s " [%0], {%1, %2};"                                         \
                 :                                                                                   \
                 : PTXSAN_GLOBAL(type, p), c((word)v.x), c((word)v.y)                                \
                 : "memory");                                                                        \
  }

#define PTXSAN_STORE4(name, op, type, element, s, c, word)                                           \
  PTXSAN_BUILTIN void name(type *p, type v) {                                                        \
    asm volatile("st.global." op ".v4." s " [%0], {%1, %2, %3, %4};"                                 \
                 :                                                                                   \
                 : PTXSAN_GLOBAL(type, p), c((word)v.x), c((word)v.y), c((word)v.z), c((word)v.w)    \
                 : "memory");                                                                        \
  }

#define PTXSAN_STORES(name, op)                                                                      \
  PTXSAN_SCALARS(PTXSAN_STORE, name, op)                                                             \
  PTXSAN_VECTORS_OF_2_AND_4(PTXSAN_STORE, name, op)

PTXSAN_STORES(__stwb, "wb")
PTXSAN_STORES(__stcg, "cg")
PTXSAN_STORES(__stcs, "cs")
PTXSAN_STORES(__stwt, "wt")
