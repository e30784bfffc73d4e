// One warp reads a word of which another writes the upper half; in the fixed variant it
// reads the lower half only.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned short *half = (unsigned short *)data;
  if (WARP(0))
    half[1] = 7;  // A
#ifdef FIXED
  if (WARP(1))
    out[0] = half[0];
#else
  if (WARP(1))
    out[0] = data[0];  // B
#endif
}
