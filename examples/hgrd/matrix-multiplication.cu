// A matrix product of which the blocks of one z make a part of the sums; an element is
// added to under its lock.
// (HGRD, Table 3: matMul, no race: locks.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define TILE 16

__global__ void multiply(const float *a, const float *b, float *c, int *locks, int n, int part) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n)
    return;
  int from = blockIdx.z * part;
  float sum = 0;
  for (int k = from; k < from + part && k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  int at = row * n + col;
  while (atomicCAS(&locks[at], 0, 1) != 0)
    ;
  __threadfence();
  c[at] += sum;
  __threadfence();
  atomicExch(&locks[at], 0);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), part = atoi(argv[2]);
  if (n < 1 || part < 1)
    return 1;
  float *a, *b, *c;
  int *locks;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n * sizeof(float));
  cudaMalloc(&locks, n * n * sizeof(int));
  cudaMemset(c, 0, n * n * sizeof(float));
  cudaMemset(locks, 0, n * n * sizeof(int));
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE, (n + part - 1) / part);
  multiply<<<grid, block>>>(a, b, c, locks, n, part);
  cudaDeviceSynchronize();
}
