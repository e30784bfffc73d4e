// HGRD, Figure 5: the allocation chooses the length of rows. That it is positive, as the
// paper has it, is not enough: a row of one element would still be shared by two threads.
// It is at least what was asked for, and the grid covers no more.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void shift(float *matrix, int rowSize, float value) {
  int xid = blockIdx.x * blockDim.x + threadIdx.x;
  int yid = blockIdx.y * blockDim.y + threadIdx.y;
  matrix[yid * (rowSize / 4) + xid] = value;
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), rows = atoi(argv[2]);
  float *matrix;
  size_t hRowSize;
  cudaMallocPitch(&matrix, &hRowSize, width * sizeof(float), rows);
  dim3 grid(width / 16, rows / 16);
  shift<<<grid, dim3(16, 16)>>>(matrix, (int)hRowSize, 1.0f);
  cudaDeviceSynchronize();
}
