// What the micro suite shares: who acts, flags, locks, and the PTX instructions
// that CUDA C++ has no spelling for. Every function is inlined and carries no
// debug location, so that reports name the line of the case.
#pragma once
#include "cuda_builtins.h"

// Actors. A case has a handful of threads that do something.
#define BLOCK(n) (blockIdx.x == (n) && threadIdx.x == 0)  // the first thread of block n
#define WARP(n) (threadIdx.x == 32 * (n))                 // the first thread of warp n
#define LANE (threadIdx.x % 32)

// Flags set and awaited with relaxed atomics of device scope. They order nothing:
// the fences are the case's.
PTXSAN_BUILTIN void set_flag(unsigned *f, unsigned v) { atomicExch(f, v); }
PTXSAN_BUILTIN void wait_flag(unsigned *f, unsigned v) {
  while (atomicAdd(f, 0u) != v)
    ;
}

// The same with block scope.
PTXSAN_BUILTIN void set_flag_block(unsigned *f, unsigned v) { atomicExch_block(f, v); }
PTXSAN_BUILTIN void wait_flag_block(unsigned *f, unsigned v) {
  while (atomicAdd_block(f, 0u) != v)
    ;
}

// Spin locks without the fences that a lock needs: those are the case's, too.
PTXSAN_BUILTIN void spin(unsigned *lock) {
  while (atomicCAS(lock, 0u, 1u) != 0)
    ;
}
PTXSAN_BUILTIN void drop(unsigned *lock) { atomicExch(lock, 0u); }
PTXSAN_BUILTIN void spin_block(unsigned *lock) {
  while (atomicCAS_block(lock, 0u, 1u) != 0)
    ;
}
PTXSAN_BUILTIN void drop_block(unsigned *lock) { atomicExch_block(lock, 0u); }

// Loads, stores and read-modify-writes by semantics and scope, through generic
// addresses: ld_acquire_gpu(p) is ld.acquire.gpu.u32.
#define MICRO_LOAD(name, op)                                                \
  PTXSAN_BUILTIN unsigned name(const unsigned *p) {                         \
    unsigned v;                                                             \
    asm volatile(op ".u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");        \
    return v;                                                               \
  }
#define MICRO_STORE(name, op)                                               \
  PTXSAN_BUILTIN void name(unsigned *p, unsigned v) {                       \
    asm volatile(op ".u32 [%0], %1;" ::"l"(p), "r"(v) : "memory");          \
  }
#define MICRO_ATOM(name, op)                                                \
  PTXSAN_BUILTIN unsigned name(unsigned *p, unsigned v) {                   \
    unsigned old;                                                           \
    asm volatile(op " %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(v) : "memory"); \
    return old;                                                             \
  }
#define MICRO_CAS(name, op)                                                 \
  PTXSAN_BUILTIN unsigned name(unsigned *p, unsigned c, unsigned v) {       \
    unsigned old;                                                           \
    asm volatile(op " %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(c), "r"(v) : "memory"); \
    return old;                                                             \
  }
#define MICRO_PLAIN(name, op)                                               \
  PTXSAN_BUILTIN void name() { asm volatile(op ";" ::: "memory"); }

#define MICRO_SCOPE(scope)                                                  \
  MICRO_LOAD(ld_relaxed_##scope, "ld.relaxed." #scope)                      \
  MICRO_LOAD(ld_acquire_##scope, "ld.acquire." #scope)                      \
  MICRO_STORE(st_relaxed_##scope, "st.relaxed." #scope)                     \
  MICRO_STORE(st_release_##scope, "st.release." #scope)                     \
  MICRO_STORE(red_add_relaxed_##scope, "red.relaxed." #scope ".add")        \
  MICRO_STORE(red_add_release_##scope, "red.release." #scope ".add")        \
  MICRO_ATOM(add_relaxed_##scope, "atom.relaxed." #scope ".add.u32")        \
  MICRO_ATOM(add_acq_rel_##scope, "atom.acq_rel." #scope ".add.u32")        \
  MICRO_ATOM(exch_release_##scope, "atom.release." #scope ".exch.b32")      \
  MICRO_CAS(cas_acquire_##scope, "atom.acquire." #scope ".cas.b32")         \
  MICRO_CAS(cas_relaxed_##scope, "atom.relaxed." #scope ".cas.b32")         \
  MICRO_PLAIN(fence_acq_rel_##scope, "fence.acq_rel." #scope)               \
  MICRO_PLAIN(fence_sc_##scope, "fence.sc." #scope)

MICRO_SCOPE(cta)
MICRO_SCOPE(gpu)
MICRO_SCOPE(sys)
MICRO_SCOPE(cluster)  // sm_90

// A weak access that the compiler neither moves nor drops.
MICRO_LOAD(ld_weak, "ld")
MICRO_STORE(st_weak, "st")

// The address of a shared variable as instructions with .shared want it.
#define SMEM(p) ((unsigned)(size_t)(__attribute__((address_space(3))) void *)(p))
