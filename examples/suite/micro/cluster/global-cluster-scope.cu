// target: sm_90
// A flag in global memory with release and acquire of cluster scope: enough within a
// cluster, not between two.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  const unsigned reader = 1;
#else
  const unsigned reader = 2;
#endif
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_cluster(&flag, 1);  // C
  }
  if (BLOCK(reader)) {
    while (ld_acquire_cluster(&flag) != 1)  // D
      ;
    out[0] = data[0];  // B
  }
}
