// A store under a condition that holds for one thread too many.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out, unsigned limit) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;  // A
  if (i < limit)
    data[i + 32] = i;  // B
}
