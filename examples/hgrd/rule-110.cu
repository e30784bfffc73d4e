// A step of the cellular automaton 110. The last thread of a block hands its cell to the
// next block: it stores, and sets a flag that the first thread there waits for.
// (HGRD, Table 3: rule110, no race: producer and consumer.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define THREADS 256

__global__ void step(const int *in, int *out, int *border, int *flags, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (threadIdx.x == blockDim.x - 1) {
    border[blockIdx.x] = in[i];
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
  }
  int left = 0;
  if (threadIdx.x > 0) {
    left = in[i - 1];
  } else if (blockIdx.x > 0) {
    while (atomicCAS(&flags[blockIdx.x - 1], 1, 1) != 1)
      ;
    __threadfence();
    left = border[blockIdx.x - 1];
  }
  int self = in[i];
  int right = i + 1 < n ? in[i + 1] : 0;
  out[i] = (110 >> (4 * left + 2 * self + right)) & 1;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int blocks = (n + THREADS - 1) / THREADS;
  int *in, *out, *border, *flags;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&border, blocks * sizeof(int));
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMemset(flags, 0, blocks * sizeof(int));
  step<<<blocks, THREADS>>>(in, out, border, flags, n);
  cudaDeviceSynchronize();
}
