// HGRD, Figure 1: the host's assertion says that the matrix is square.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void copyUppLowKernel(float *A, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (j > i && j < rows)
    A[j * cols + i] = A[i * cols + j];
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]), cols = atoi(argv[2]);
  assert(rows == cols);
  float *A;
  cudaMalloc(&A, rows * cols * sizeof(float));
  dim3 threads(16, 16), blocks((rows + 15) / 16, (rows + 15) / 16);
  copyUppLowKernel<<<blocks, threads>>>(A, rows, cols);
  cudaDeviceSynchronize();
}
