// A histogram in global memory. Two blocks can read, increment and write the same
// bin at the same time, and one increment is lost.
#include <cuda_runtime.h>

__global__ void histogram(const unsigned *values, unsigned *bins, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    bins[values[i] % 32] += 1;
}
