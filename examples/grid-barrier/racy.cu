// Every block sums its part of the input; block 0 then adds up the partial sums
// (iGUARD, Figure 3). The barrier between the two steps waits for block 0's own
// threads only.
#include <cuda_runtime.h>

__global__ void reduce(const unsigned *in, unsigned *part, unsigned *total, unsigned n) {
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
      sum += in[blockIdx.x * n + i];
    part[blockIdx.x] = sum;
  }
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      sum += part[b];
    total[0] = sum;
  }
}
