// Message passing with PTX instructions: the flag is stored with st.relaxed.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    st_release_gpu(&flag, 1);
#else
    st_relaxed_gpu(&flag, 1);
#endif
  }
  if (BLOCK(1)) {
    while (ld_acquire_gpu(&flag) != 1)
      ;
    out[0] = data[0];  // B
  }
}
