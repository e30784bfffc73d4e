// A triangular matrix in packed form is unpacked to a full one, as it is or transposed.
// (HGRD, Table 3: copyFromTp, no race; class: asserts.)
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#include "matrix.h"

__global__ void copyFromTp(float *a, const float *packed, MatrixDim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // column
  int j = blockIdx.y * blockDim.y + threadIdx.y;  // row
  if (i < d.cols && j < d.rows) {
    int to = j * d.stride + i;
    if (i <= j)
      a[to] = packed[j * (j + 1) / 2 + i];
    else
      a[to] = 0;
  }
}

__global__ void copyFromTpTrans(float *a, const float *packed, MatrixDim d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < d.rows && j < d.rows)
    a[j * d.stride + i] = j <= i ? packed[i * (i + 1) / 2 + j] : 0;
}

static void copyTriangle(float *data, const float *packed, MatrixDim d, int size, bool transposed) {
  assert(d.rows == size);
  assert(d.cols == size);
  assert(d.stride >= size);
  dim3 block(BLOCK, BLOCK);
  dim3 grid(BLOCKS(d.cols), BLOCKS(d.rows));
  if (transposed)
    copyFromTpTrans<<<grid, block>>>(data, packed, d);
  else
    copyFromTp<<<grid, block>>>(data, packed, d);
}

int main(int argc, char **argv) {
  MatrixDim d = {atoi(argv[1]), atoi(argv[2]), atoi(argv[3])};
  int size = atoi(argv[4]);
  float *data, *packed;
  cudaMalloc(&data, d.rows * d.stride * sizeof(float));
  cudaMalloc(&packed, size * (size + 1) / 2 * sizeof(float));
  copyTriangle(data, packed, d, size, argc > 5);
  cudaDeviceSynchronize();
}
