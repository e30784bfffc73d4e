// As the CUDA samples have it: a fence before the counter and none after it.
#include "../micro.h"

__device__ unsigned done;

__global__ void run(unsigned *data, unsigned *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x + 1;  // A
    __threadfence();
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
#ifdef FIXED
    __threadfence();
#endif
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
      sum += data[b];  // B
    out[0] = sum;
  }
}
