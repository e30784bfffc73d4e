// HGRD, Figure 4: a loop of the host bounds the offset.
#include <cuda_runtime.h>
#include <stdlib.h>

#define BLOCK_SIZE 16

__global__ void ludInternal(float *m, int dim, int offset, float sum) {
  int rid = offset + (blockIdx.y + 1) * BLOCK_SIZE;
  int cid = offset + (blockIdx.x + 1) * BLOCK_SIZE;
  m[(rid + threadIdx.y) * dim + cid + threadIdx.x] = sum;
}

static void lud(float *m, int hMatrixDim) {
  for (int hOffset = 0; hOffset < hMatrixDim; hOffset += BLOCK_SIZE) {
    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid((hMatrixDim - hOffset) / BLOCK_SIZE - 1, (hMatrixDim - hOffset) / BLOCK_SIZE - 1);
    ludInternal<<<grid, block>>>(m, hMatrixDim, hOffset, 0.5f);
  }
}

int main(int argc, char **argv) {
  int dim = atoi(argv[1]);
  float *m;
  cudaMalloc(&m, dim * dim * sizeof(float));
  lud(m, dim);
  cudaDeviceSynchronize();
}
