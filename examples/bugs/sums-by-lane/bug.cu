// A butterfly adds the squares of a warp. The multiplication is fused into its first addition, which rounds the square
// of one lane only: lanes have different sums, and all of them store to one element.
#include "../../suite/micro/micro.h"

__shared__ float sums[4];

__global__ void squares(const float *x, float *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i], square = __fmul_rn(v, v);
#ifdef FIXED
  float sum = __fadd_rn(square, __shfl_xor_sync(~0u, square, 16));
#else
  float sum = __fmaf_rn(v, v, __shfl_xor_sync(~0u, square, 16));
#endif
  for (int lanes = 8; lanes > 0; lanes /= 2)
    sum += __shfl_xor_sync(~0u, sum, lanes);
  sums[threadIdx.x / 32] = sum;
  __syncthreads();
  out[i] = sums[threadIdx.x % 4];
}
