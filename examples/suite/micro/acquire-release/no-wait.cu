// The reader acquires once and reads whatever it saw.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&flag, 1);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    if (ld_acquire_gpu(&flag) == 1)
#else
    if (ld_acquire_gpu(&flag) != 2)
#endif
      out[0] = data[0];  // B
  }
}
