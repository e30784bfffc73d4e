// A loop around a compare-and-swap begins with a look at what is there, as in the CUDA C++
// Programming Guide's atomicAdd for doubles. The look must be strong, too: a barrier is no
// help, as the other warp may be in its loop all the time.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (LANE != 0) return;
  unsigned assumed;
#ifdef FIXED
  unsigned old = ld_relaxed_gpu(data);
#else
  unsigned old = data[0];  // A
#endif
  do {
    assumed = old;
    old = atomicCAS(data, assumed, 2 * assumed + 1);  // B
  } while (old != assumed);
}
