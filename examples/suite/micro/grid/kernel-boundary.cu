// Blocks read what others wrote before a barrier of the block; two launches order them.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out, unsigned step) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  if (step != 2)
    data[i] = i + 1;  // A
  __syncthreads();
  if (step != 1)
    out[i] = data[(i + blockDim.x) % n];  // B
}
