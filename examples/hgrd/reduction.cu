// A sum in two launches: blocks make partial sums, one block adds these up.
// (HGRD, Figure 2 and Table 3: reduction, no race; class: dims.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define THREADS 256

__global__ void blockReduce(const float *in, float *partial, int n) {
  __shared__ float sum[THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sum[threadIdx.x] += sum[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    partial[blockIdx.x] = sum[0];
}

__global__ void reduceFinal(const float *partial, float *result, int blocks) {
  __shared__ float sum[THREADS];
  float mine = 0;
  for (int i = threadIdx.x; i < blocks; i += THREADS)
    mine += partial[i];
  sum[threadIdx.x] = mine;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      sum[threadIdx.x] += sum[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    result[0] = sum[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int blocks = (n + THREADS - 1) / THREADS;
  float *in, *partial, *result;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&partial, blocks * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  blockReduce<<<blocks, THREADS>>>(in, partial, n);
  reduceFinal<<<1, THREADS>>>(partial, result, blocks);
  cudaDeviceSynchronize();
}
