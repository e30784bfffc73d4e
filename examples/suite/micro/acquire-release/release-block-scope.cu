// st.release.cta, and the reader is in another block.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    st_release_gpu(&flag, 1);
#else
    st_release_cta(&flag, 1);  // C
#endif
  }
  if (BLOCK(1)) {
    while (ld_acquire_gpu(&flag) != 1)  // D
      ;
    out[0] = data[0];  // B
  }
}
