// One block counts with device scope, the other with block scope: the narrower one
// decides.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicAdd(data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    atomicAdd(data, 2u);
#else
    atomicAdd_block(data, 2u);  // B
#endif
  }
}
