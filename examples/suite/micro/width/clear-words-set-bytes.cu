// Block 0 clears an array by words while block 1 sets a byte of it; in the fixed variant,
// behind its end.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0))
    for (unsigned i = 0; i < 8; i++)
      data[i] = 0;  // A
#ifdef FIXED
  if (BLOCK(1))
    ((unsigned char *)data)[32] = 1;
#else
  if (BLOCK(1))
    ((unsigned char *)data)[31] = 1;  // B
#endif
}
