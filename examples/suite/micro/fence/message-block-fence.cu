// The producer fences with block scope, and the consumer is in another block (ScoR: block
// fence between blocks, with plain data).
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
    __threadfence();
    out[0] = data[0];  // B
  }
}
