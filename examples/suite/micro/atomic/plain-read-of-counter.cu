// Blocks count arrivals atomically; the last thread of each reads the counter with a plain
// load.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicAdd(data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    out[0] = atomicAdd(data, 0u);
#else
    out[0] = data[0];  // B
#endif
  }
}
