// One thread exchanges a word atomically, another stores to it with a plain instruction:
// two blocks.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicExch(data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    atomicExch(data, 2u);
#else
    data[0] = 2;  // B
#endif
  }
}
