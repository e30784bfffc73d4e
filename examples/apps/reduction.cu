// Sums an array: a tree in shared memory, and managed memory for the result of each block.
// Compiled with -DRACY, the tree lacks the barrier between its steps.
#include "check.h"

enum { BLOCK = 128, BLOCKS = 8, N = 4096 };

__global__ void sum(const int *data, int *sums, int n) {
  __shared__ int tile[BLOCK];
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    own += data[i];
  tile[threadIdx.x] = own;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      tile[threadIdx.x] += tile[threadIdx.x + step];
#ifndef RACY
    __syncthreads();
#endif
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = tile[0];
}

int main() {
  int *data, *sums, total = 0;
  CHECK(cudaMallocManaged(&data, N * sizeof(int)));
  CHECK(cudaMallocManaged(&sums, BLOCKS * sizeof(int)));
  for (int i = 0; i < N; i++)
    data[i] = i % 7;
  sum<<<BLOCKS, BLOCK>>>(data, sums, N);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < BLOCKS; i++)
    total += sums[i];
  for (int i = 0; i < N; i++)
    total -= i % 7;
  std::printf("reduction of %d elements: %s\n", (int)N, total == 0 ? "right" : "wrong");
  CHECK(cudaFree(data));
  CHECK(cudaFree(sums));
  return total != 0;
}
