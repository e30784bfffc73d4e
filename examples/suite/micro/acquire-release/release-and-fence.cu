// A releasing store on one side and a fence on the other make a synchronisation, too.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&flag, 1);
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
