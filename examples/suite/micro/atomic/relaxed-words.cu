// A mailbox of relaxed accesses: no order, but no data race either, if the scope fits.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
#ifdef FIXED
    st_relaxed_gpu(data, 1);
#else
    st_relaxed_cta(data, 1);  // A
#endif
  }
  if (BLOCK(1)) {
    out[0] = ld_relaxed_gpu(data);  // B
  }
}
