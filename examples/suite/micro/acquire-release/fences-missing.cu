// The same without fences.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    fence_acq_rel_gpu();
    st_relaxed_gpu(&flag, 1);
#else
    st_relaxed_gpu(&flag, 1);
#endif
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_relaxed_gpu(&flag) != 1)
      ;
    fence_acq_rel_gpu();
#else
    while (ld_relaxed_gpu(&flag) != 1)
      ;
#endif
    out[0] = data[0];  // B
  }
}
