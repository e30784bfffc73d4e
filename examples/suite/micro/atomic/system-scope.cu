// An atomic of system scope includes one of device scope; one of block scope does not
// include the other block.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicAdd_system(data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    atomicAdd(data, 2u);
#else
    atomicAdd_block(data, 2u);  // B
#endif
  }
}
