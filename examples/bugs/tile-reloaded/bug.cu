// Threads load the next tile while others still read this one: no barrier ends a round.
#include "../../suite/micro/micro.h"

__shared__ float tile[128];

__global__ void render(const float *points, float *image, int rounds) {
  float sum = 0;
  for (int r = 0; r < rounds; r++) {
    tile[threadIdx.x] = points[r * blockDim.x + threadIdx.x];  // A
    __syncthreads();
#pragma clang loop unroll(disable)
    for (int i = 0; i < 128; i++)
      sum += tile[i] * (float)(i + 1);  // B
#ifdef FIXED
    __syncthreads();
#endif
  }
  image[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
