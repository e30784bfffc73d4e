// red is an atomic without a result; a plain store to its word races with it.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    red_add_relaxed_gpu(data, 1);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    red_add_relaxed_gpu(data, 2);
#else
    data[0] = 0;  // B
#endif
  }
}
