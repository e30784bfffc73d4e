// As warps-no-fence, but the producer has its fence.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    data[0] = 42;  // A
    __threadfence_block();
    set_flag(&flag, 1);
  }
  if (WARP(1)) {
    wait_flag(&flag, 1);
#ifdef FIXED
    __threadfence_block();
#endif
    out[0] = data[0];  // B
  }
}
