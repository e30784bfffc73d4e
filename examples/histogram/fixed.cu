// A histogram in global memory, with atomic increments.
#include <cuda_runtime.h>

__global__ void histogram(const unsigned *values, unsigned *bins, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[values[i] % 32], 1u);
}
