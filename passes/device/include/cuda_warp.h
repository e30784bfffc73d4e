// Operations of a warp: votes, matches, shuffles, and reductions from sm_80 on. Part of cuda_builtins.h, which
// includes it.
#pragma once

PTXSAN_BUILTIN unsigned __activemask() { return __nvvm_activemask(); }
PTXSAN_BUILTIN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
PTXSAN_BUILTIN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
PTXSAN_BUILTIN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, float v) { return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(int, v)); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, double v) { return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(long long, v)); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, unsigned long long v) { return __nvvm_match_any_sync_i64(mask, v); }
PTXSAN_BUILTIN unsigned __match_any_sync(unsigned mask, long long v) { return __nvvm_match_any_sync_i64(mask, v); }

#define PTXSAN_MATCH_ALL(type, word, suffix)                                                         \
  PTXSAN_BUILTIN unsigned __match_all_sync(unsigned mask, type v, int *p) {                          \
    return __nvvm_match_all_sync_##suffix##p(mask, __builtin_bit_cast(word, v), p);                  \
  }

PTXSAN_MATCH_ALL(int, int, i32)
PTXSAN_MATCH_ALL(unsigned, int, i32)
PTXSAN_MATCH_ALL(float, int, i32)
PTXSAN_MATCH_ALL(long long, long long, i64)
PTXSAN_MATCH_ALL(unsigned long long, long long, i64)
PTXSAN_MATCH_ALL(long, long, i64)
PTXSAN_MATCH_ALL(unsigned long, long, i64)
PTXSAN_MATCH_ALL(double, long long, i64)

// A shuffle for each type that CUDA's have: 64 bits are two of 32. PTXSAN_SHFL declares those of 32 bits by
// clang's builtin, PTXSAN_SHFL_WIDE those made of them.

#define PTXSAN_SHFL(name, op, type, word, suffix, lanes, clamp)                                      \
  PTXSAN_BUILTIN type name(unsigned mask, type v, lanes n, int width = 32) {                         \
    return __builtin_bit_cast(type, __nvvm_shfl_sync_##op##_##suffix(mask, __builtin_bit_cast(word, v), n, ((32 - width) << 8) | clamp)); \
  }

#define PTXSAN_SHFL_WIDE(name, type, lanes)                                                          \
  PTXSAN_BUILTIN type name(unsigned mask, type v, lanes n, int width = 32) {                         \
    unsigned long long w = __builtin_bit_cast(unsigned long long, v);                                \
    unsigned low = name(mask, (unsigned)w, n, width), high = name(mask, (unsigned)(w >> 32), n, width); \
    return __builtin_bit_cast(type, (unsigned long long)high << 32 | low);                           \
  }

#define PTXSAN_SHUFFLE(name, op, lanes, clamp)                                                       \
  PTXSAN_SHFL(name, op, int, int, i32, lanes, clamp)                                                 \
  PTXSAN_SHFL(name, op, unsigned, int, i32, lanes, clamp)                                            \
  PTXSAN_SHFL(name, op, float, float, f32, lanes, clamp)                                             \
  PTXSAN_SHFL_WIDE(name, long long, lanes)                                                           \
  PTXSAN_SHFL_WIDE(name, unsigned long long, lanes)                                                  \
  PTXSAN_SHFL_WIDE(name, long, lanes)                                                                \
  PTXSAN_SHFL_WIDE(name, unsigned long, lanes)                                                       \
  PTXSAN_SHFL_WIDE(name, double, lanes)

PTXSAN_SHUFFLE(__shfl_sync, idx, int, 0x1f)
PTXSAN_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
PTXSAN_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
PTXSAN_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)

// Reductions of 32 bits: the host's pass over a file sees them whatever the device's is for.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

#define PTXSAN_REDUCE(name, op, type)                                                                \
  PTXSAN_BUILTIN type name(unsigned mask, type v) {                                                  \
    type r;                                                                                          \
    asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask) : "memory");          \
    return r;                                                                                        \
  }

PTXSAN_REDUCE(__reduce_add_sync, "add.s32", int)
PTXSAN_REDUCE(__reduce_add_sync, "add.u32", unsigned)
PTXSAN_REDUCE(__reduce_min_sync, "min.s32", int)
PTXSAN_REDUCE(__reduce_min_sync, "min.u32", unsigned)
PTXSAN_REDUCE(__reduce_max_sync, "max.s32", int)
PTXSAN_REDUCE(__reduce_max_sync, "max.u32", unsigned)
PTXSAN_REDUCE(__reduce_and_sync, "and.b32", unsigned)
PTXSAN_REDUCE(__reduce_or_sync, "or.b32", unsigned)
PTXSAN_REDUCE(__reduce_xor_sync, "xor.b32", unsigned)

#endif
