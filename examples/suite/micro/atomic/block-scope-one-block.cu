// Two warps of one block count in one word (ScoR: block atomics between warps): with plain
// instructions, or with atomics of block scope.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (LANE == 0)
#ifdef FIXED
    atomicAdd_block(data, 1u);
#else
    data[0] += 1;  // A
#endif
}
