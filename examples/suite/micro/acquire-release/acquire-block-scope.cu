// ld.acquire.cta, and the writer is in another block.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&flag, 1);  // C
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_acquire_gpu(&flag) != 1)
      ;
#else
    while (ld_acquire_cta(&flag) != 1)  // D
      ;
#endif
    out[0] = data[0];  // B
  }
}
