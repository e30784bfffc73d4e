// A spin lock of atom.acquire and atom.release in place of fences.
#include "../micro.h"

__device__ unsigned lock;

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  while (cas_acquire_gpu(&lock, 0, 1) != 0)
#else
  while (cas_relaxed_gpu(&lock, 0, 1) != 0)
#endif
    ;
  data[0] += 1;  // A
  exch_release_gpu(&lock, 0);
}
