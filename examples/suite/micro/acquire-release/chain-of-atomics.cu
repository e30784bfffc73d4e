// A release, a relaxed read-modify-write of a third block on top of it, and an acquire of
// that: the chain of atomics carries the release. A load and a store in its place break
// the chain.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
    st_release_gpu(&flag, 1);
  }
  if (BLOCK(1)) {
    while (ld_relaxed_gpu(&flag) != 1)
      ;
#ifdef FIXED
    add_relaxed_gpu(&flag, 1);
#else
    st_relaxed_gpu(&flag, 2);
#endif
  }
  if (BLOCK(2)) {
    while (ld_acquire_gpu(&flag) != 2)
      ;
    out[0] = data[0];  // B
  }
}
