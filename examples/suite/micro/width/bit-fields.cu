// Two warps set different bits of one word, with plain instructions; in the fixed variant,
// each has a byte.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  unsigned char *bytes = (unsigned char *)data;
  if (WARP(0))
    bytes[0] |= 1;
  if (WARP(1))
    bytes[1] |= 1;
#else
  if (WARP(0))
    data[0] |= 1;  // A
  if (WARP(1))
    data[0] |= 256;  // B
#endif
}
