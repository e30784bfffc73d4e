// Producer with a device fence, consumer in another block with a block fence only.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    __threadfence();
    set_flag(&flag, 1);
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence();
#else
    __threadfence_block();
#endif
    out[0] = data[0];  // B
  }
}
