// fence.sc is a fence.acq_rel and more; the racy variant has one on one side only.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    fence_sc_gpu();
    st_relaxed_gpu(&flag, 1);
#else
    st_relaxed_gpu(&flag, 1);
#endif
  }
  if (BLOCK(1)) {
    while (ld_relaxed_gpu(&flag) != 1)
      ;
    fence_sc_gpu();
    out[0] = data[0];  // B
  }
}
