// fence.acq_rel round relaxed accesses of a flag: with block scope between two blocks.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    fence_acq_rel_gpu();
    st_relaxed_gpu(&flag, 1);
#else
    fence_acq_rel_cta();
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
    fence_acq_rel_cta();
#endif
    out[0] = data[0];  // B
  }
}
