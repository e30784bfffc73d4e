// A barrier of the block does not order two blocks; the end of a kernel does.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out, unsigned step) {
  if (BLOCK(0) && step != 2)
    data[0] = 42;  // A
  __syncthreads();
  if (BLOCK(1) && step != 1)
    out[0] = data[0];  // B
}
