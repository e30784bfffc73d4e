// Block 0 writes and tells block 1, which tells block 2, which reads (WRC): the middle
// must acquire and release.
#include "../micro.h"

__device__ unsigned first, second;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&first, 1);
  }
  if (BLOCK(1)) {
#ifdef FIXED
    while (ld_acquire_gpu(&first) != 1)
#else
    while (ld_relaxed_gpu(&first) != 1)
#endif
      ;
    st_release_gpu(&second, 1);
  }
  if (BLOCK(2)) {
    while (ld_acquire_gpu(&second) != 1)
      ;
    out[0] = data[0];  // B
  }
}
