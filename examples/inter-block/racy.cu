// Every thread writes its own element, and the last thread of each block also
// writes the next one: the first element of the next block.
#include <cuda_runtime.h>

__global__ void fill(unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 7;
  if (threadIdx.x == blockDim.x - 1 && i + 1 < n)
    out[i + 1] = 7;
}
