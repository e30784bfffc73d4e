// The flag is volatile, with fences on both sides. PTX accepts that; the papers want
// atomics.
#include "../micro.h"

__device__ volatile unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    __threadfence();
#ifdef FIXED
    set_flag((unsigned *)&flag, 1);
#else
    flag = 1;  // C
#endif
  }
  if (BLOCK(1)) {
#ifdef FIXED
    wait_flag((unsigned *)&flag, 1);
#else
    while (flag != 1)  // D
      ;
#endif
    __threadfence();
    out[0] = data[0];  // B
  }
}
