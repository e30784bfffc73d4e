// As one-side-block-scope with the roles exchanged.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
#ifdef FIXED
    atomicAdd(data, 1u);
#else
    atomicAdd_block(data, 1u);  // A
#endif
  }
  if (BLOCK(1)) {
    atomicAdd(data, 2u);  // B
  }
}
