// The release comes before the store that it should publish.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
#ifdef FIXED
    data[0] = 42;
    st_release_gpu(&flag, 1);
#else
    st_release_gpu(&flag, 1);
    data[0] = 42;  // A
#endif
  }
  if (BLOCK(1)) {
    while (ld_acquire_gpu(&flag) != 1)
      ;
    out[0] = data[0];  // B
  }
}
