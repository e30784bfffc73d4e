// What the applications share: switches for races, and operations whose scope a
// switch decides. Every function is inlined and carries no debug location, so that
// reports name the line of the application.
#pragma once
#include "cuda_builtins.h"

// RACES names the races of an application. It is compiled with -DRACE=<one of them>,
// or -DRACE=correct.
#define RACES(...)                          \
  enum race_name { correct, __VA_ARGS__ };  \
  constexpr bool race(race_name r) { return r == RACE; }

enum scope_name { block_scope, device_scope };

// What should have device scope, and has block scope when the race is on.
#define SCOPE(name) (race(name) ? block_scope : device_scope)

PTXSAN_BUILTIN unsigned add(scope_name s, unsigned *p, unsigned v) {
  return s == block_scope ? atomicAdd_block(p, v) : atomicAdd(p, v);
}
PTXSAN_BUILTIN int add(scope_name s, int *p, int v) {
  return s == block_scope ? atomicAdd_block(p, v) : atomicAdd(p, v);
}
PTXSAN_BUILTIN unsigned exch(scope_name s, unsigned *p, unsigned v) {
  return s == block_scope ? atomicExch_block(p, v) : atomicExch(p, v);
}
PTXSAN_BUILTIN unsigned cas(scope_name s, unsigned *p, unsigned c, unsigned v) {
  return s == block_scope ? atomicCAS_block(p, c, v) : atomicCAS(p, c, v);
}
PTXSAN_BUILTIN void fence(scope_name s) {
  if (s == block_scope)
    __threadfence_block();
  else
    __threadfence();
}

// Work in chunks, shared out among blocks: the first block owns half of it, so that
// the others run out and steal. Block b owns chunks share(b) to share(b + 1).
#define NOTHING (~0u)
PTXSAN_BUILTIN unsigned share(unsigned b, unsigned chunks) {
  return b == 0 ? 0 : chunks / 2 + (b - 1) * (chunks - chunks / 2) / (gridDim.x - 1);
}
PTXSAN_BUILTIN unsigned chunks_of(unsigned items) { return (items + blockDim.x - 1) / blockDim.x; }
