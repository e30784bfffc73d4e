// Release of system scope and acquire of device scope include each other; the racy variant
// acquires nothing.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_sys(&flag, 1);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_acquire_gpu(&flag) != 1)
      ;
#else
    while (ld_relaxed_sys(&flag) != 1)
      ;
#endif
    out[0] = data[0];  // B
  }
}
