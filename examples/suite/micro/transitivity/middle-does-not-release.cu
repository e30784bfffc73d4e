// The same, and the middle acquires but passes on with a relaxed store.
#include "../micro.h"

__device__ unsigned first, second;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&first, 1);
  }
  if (BLOCK(1)) {
    while (ld_acquire_gpu(&first) != 1)
      ;
#ifdef FIXED
    st_release_gpu(&second, 1);
#else
    st_relaxed_gpu(&second, 1);
#endif
  }
  if (BLOCK(2)) {
    while (ld_acquire_gpu(&second) != 1)
      ;
    out[0] = data[0];  // B
  }
}
