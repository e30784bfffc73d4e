// A volatile load of a counter that others add to: relaxed for PTX, plain for the papers.
#include "../micro.h"

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicAdd((unsigned *)data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    out[0] = atomicAdd((unsigned *)data, 0u);
#else
    out[0] = data[0];  // B
#endif
  }
}
