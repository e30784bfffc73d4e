// Two hops of different scope (ISA2): from warp to warp with block scope, then from block
// to block with device scope. The racy variant makes the second hop with block scope.
#include "../micro.h"

__device__ unsigned inner, outer;

__global__ void run(unsigned *data, unsigned *out) {
  if (blockIdx.x == 0 && WARP(0)) {
    data[0] = 42;  // A
    st_release_cta(&inner, 1);
  }
  if (blockIdx.x == 0 && WARP(1)) {
    while (ld_acquire_cta(&inner) != 1)
      ;
#ifdef FIXED
    st_release_gpu(&outer, 1);
#else
    st_release_cta(&outer, 1);  // C
#endif
  }
  if (blockIdx.x == 1 && WARP(0)) {
    while (ld_acquire_gpu(&outer) != 1)  // D
      ;
    out[0] = data[0];  // B
  }
}
