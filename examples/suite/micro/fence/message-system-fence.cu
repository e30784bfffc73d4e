// A fence of system scope includes every thread of the device; a block fence does not.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence_system();
#else
    __threadfence_block();
#endif
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence_system();
#else
    __threadfence_block();
#endif
    out[0] = data[0];  // B
  }
}
