// One thread writes the sums of its block; all threads read them without a barrier in between.
#include "../../suite/micro/micro.h"

__shared__ unsigned sums[2];

__global__ void offsets(const unsigned *counts, unsigned *out) {
  if (threadIdx.x == 0) {
    sums[0] = counts[blockIdx.x];  // A
    sums[1] = counts[blockIdx.x] * 3;
  }
#ifdef FIXED
  __syncthreads();
#endif
  out[blockIdx.x * blockDim.x + threadIdx.x] = sums[0] + threadIdx.x;  // B
}
