// All blocks of a row add to its sum, and __syncthreads() waits for the threads of one block only.
#include "../../suite/micro/micro.h"

__global__ void add(const float *x, float *out, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(sum, x[i]);
#ifdef FIXED
}

__global__ void divide(const float *x, float *out, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  __syncthreads();
#endif
  out[i] = x[i] / sum[0];
}
