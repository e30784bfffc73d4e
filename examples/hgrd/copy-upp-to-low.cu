// The upper triangle of a square matrix is copied to the lower one.
// (HGRD, Table 3: copyUppToLow, no race; class: asserts.)
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#include "matrix.h"

__global__ void copyUppLow(float *a, MatrixDim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < d.rows)
    a[j * d.stride + i] = a[i * d.stride + j];
}

static void copyUppToLow(float *data, int rows, int cols, int stride) {
  assert(rows == cols);
  assert(stride >= cols);
  MatrixDim d = {rows, cols, stride};
  dim3 block(BLOCK, BLOCK);
  dim3 grid(BLOCKS(rows), BLOCKS(rows));
  copyUppLow<<<grid, block>>>(data, d);
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]), stride = atoi(argv[3]);
  float *data;
  cudaMalloc(&data, rows * stride * sizeof(float));
  copyUppToLow(data, rows, cols, stride);
  cudaDeviceSynchronize();
}
