// The lower triangle of a square matrix is copied to the upper one.
// (HGRD, Table 3: copyLowToUpp, no race; class: asserts.)
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#include "matrix.h"

__global__ void copyLowUpp(float *a, MatrixDim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i <= j || i >= d.rows)
    return;
  int low = i * d.stride + j;
  int upp = j * d.stride + i;
  a[upp] = a[low];
}

int main(int argc, char **argv) {
  MatrixDim d;
  d.rows = atoi(argv[1]);
  d.cols = atoi(argv[2]);
  d.stride = atoi(argv[3]);
  assert(d.rows == d.cols && d.cols <= d.stride);
  float *data;
  cudaMalloc(&data, d.rows * d.stride * sizeof(float));
  dim3 grid(BLOCKS(d.rows), BLOCKS(d.rows)), block(BLOCK, BLOCK);
  copyLowUpp<<<grid, block>>>(data, d);
  cudaDeviceSynchronize();
}
