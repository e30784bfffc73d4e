// ScoR: volatile data, and a block fence between blocks. To PTX a volatile access is a
// relaxed access of system scope, so that nothing here is a data race; to the papers it is
// a plain access that must be fenced.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(volatile unsigned *data, unsigned *out) {
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
#ifdef FIXED
    __threadfence();
#endif
    out[0] = data[0];  // B
  }
}
