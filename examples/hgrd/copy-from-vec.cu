// The rows of a matrix become copies of a vector. The matrix has the stride that its
// allocation chooses.
// (HGRD, Table 3: copyFromVec, no race; class: sizes.)
#include <cuda_runtime.h>
#include <stdlib.h>

#include "matrix.h"

__global__ void copyRowsFromVec(float *m, MatrixDim d, const float *v) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;  // row
  int j = blockIdx.x * blockDim.x + threadIdx.x;  // column
  if (i < d.rows && j < d.cols)
    m[i * d.stride + j] = v[j];
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  float *m, *v;
  size_t pitch;
  cudaMallocPitch(&m, &pitch, cols * sizeof(float), rows);
  cudaMalloc(&v, cols * sizeof(float));
  MatrixDim d = {rows, cols, (int)(pitch / sizeof(float))};
  dim3 block(BLOCK, BLOCK);
  dim3 grid(BLOCKS(cols), BLOCKS(rows));
  copyRowsFromVec<<<grid, block>>>(m, d, v);
  cudaDeviceSynchronize();
}
