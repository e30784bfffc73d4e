// Release and acquire of block scope: enough between warps of one block; the racy variant
// relaxes the store.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (WARP(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    st_release_cta(&flag, 1);
#else
    st_relaxed_cta(&flag, 1);
#endif
  }
  if (WARP(1)) {
    while (ld_acquire_cta(&flag) != 1)
      ;
    out[0] = data[0];  // B
  }
}
