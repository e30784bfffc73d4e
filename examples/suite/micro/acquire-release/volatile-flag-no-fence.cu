// A volatile flag and no fences: relaxed in PTX, so that the flag is no race but orders
// nothing.
#include "../micro.h"

__device__ volatile unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    st_release_gpu((unsigned *)&flag, 1);
#else
    flag = 1;  // C
#endif
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_acquire_gpu((unsigned *)&flag) != 1)
      ;
#else
    while (flag != 1)  // D
      ;
#endif
    out[0] = data[0];  // B
  }
}
