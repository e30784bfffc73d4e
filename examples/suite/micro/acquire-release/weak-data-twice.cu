// A handshake of two flags: the answer must be acquired, too, before the datum is reused.
#include "../micro.h"

__device__ unsigned ready, taken;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 1;
    st_release_gpu(&ready, 1);
#ifdef FIXED
    while (ld_acquire_gpu(&taken) != 1)
#else
    while (ld_relaxed_gpu(&taken) != 1)
#endif
      ;
    data[0] = 2;  // A
  }
  if (BLOCK(1)) {
    while (ld_acquire_gpu(&ready) != 1)
      ;
    out[0] = data[0];  // B
    st_release_gpu(&taken, 1);
  }
}
