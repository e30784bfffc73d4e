// A fence of a third block in the chain: it passes on only what it has acquired.
#include "../micro.h"

__device__ unsigned first, second;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    __threadfence();
#endif
    set_flag(&first, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&first, 1);
    __threadfence();
    set_flag(&second, 1);
  }
  if (BLOCK(2)) {
    wait_flag(&second, 1);
    __threadfence();
    out[0] = data[0];  // B
  }
}
