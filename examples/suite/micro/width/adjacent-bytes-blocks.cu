// Two blocks store neighbouring halves of a word, or overlapping ones.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  char *bytes = (char *)data;
  if (BLOCK(0))
    *(unsigned short *)bytes = 1;  // A
#ifdef FIXED
  if (BLOCK(1))
    *(unsigned short *)(bytes + 2) = 2;
#else
  if (BLOCK(1))
    bytes[1] = 2;  // B
#endif
}
