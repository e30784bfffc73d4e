// The flag is written and read with plain instructions.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    __threadfence();
#ifdef FIXED
    set_flag(&flag, 1);
#else
    flag = 1;  // C
#endif
  }
  if (BLOCK(1)) {
#ifdef FIXED
    wait_flag(&flag, 1);
#else
    while (ld_weak(&flag) != 1)  // D
      ;
#endif
    __threadfence();
    out[0] = data[0];  // B
  }
}
