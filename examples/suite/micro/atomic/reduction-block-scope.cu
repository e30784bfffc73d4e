// red.relaxed.cta of two blocks on one word.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  red_add_relaxed_gpu(data, 1);
#else
  red_add_relaxed_cta(data, 1);  // A
#endif
}
