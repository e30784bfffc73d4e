// A work queue: a producer block puts items and publishes their number. The number must
// not be published before the item.
#include "../micro.h"

__device__ unsigned published;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    for (unsigned i = 0; i < 4; i++) {
#ifdef FIXED
      data[i] = 10 + i;
      __threadfence();
      set_flag(&published, i + 1);
#else
      __threadfence();
      set_flag(&published, i + 1);
      data[i] = 10 + i;  // A
#endif
    }
  }
  if (BLOCK(1)) {
    for (unsigned i = 0; i < 4; i++) {
      while (atomicAdd(&published, 0u) <= i)
        ;
      __threadfence();
      out[i] = data[i];  // B
    }
  }
}
