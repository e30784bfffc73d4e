// Block 0 passes a value to block 1 through an atomic flag. Atomics are relaxed: without
// fences the flag may be seen before the value.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence();
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
