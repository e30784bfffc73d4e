// A compiler dropped the barrier of a loop in a branch that not all threads take; partners read each other's element.
#include "../../suite/micro/micro.h"

__shared__ float tile[128];

__global__ void mirror(const float *a, const int *mask, float *out, int rounds) {
  float sum = 0;
  bool mine = mask[threadIdx.x] != 0;
#pragma clang loop unroll(disable)
  for (int r = 0; r < rounds; r++) {
    if (mine)
      tile[threadIdx.x] = a[r * blockDim.x + threadIdx.x];  // A
#ifdef FIXED
    __syncthreads();
#endif
    if (mine)
      sum += tile[127 - threadIdx.x];  // B
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[threadIdx.x] = sum;
}
