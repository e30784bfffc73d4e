// Two warps store bytes: neighbours in one word, or the same byte.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned char *bytes = (unsigned char *)data;
  if (WARP(0))
    bytes[0] = 1;  // A
#ifdef FIXED
  if (WARP(1))
    bytes[1] = 2;
#else
  if (WARP(1))
    bytes[0] = 2;  // B
#endif
}
