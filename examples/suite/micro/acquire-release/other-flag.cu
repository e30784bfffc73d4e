// Two flags: the data is released through one and the reader acquires the other.
#include "../micro.h"

__device__ unsigned first, second;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    st_release_gpu(&first, 1);
    data[0] = 42;  // A
    st_release_gpu(&second, 1);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_acquire_gpu(&second) != 1)
#else
    while (ld_acquire_gpu(&first) != 1)
#endif
      ;
    out[0] = data[0];  // B
  }
}
