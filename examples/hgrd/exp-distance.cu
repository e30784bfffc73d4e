// The last step of an expected distance: one block adds up the cross terms of all others.
// (HGRD, Table 3: expDistance, no race; class: dims.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define WIDTH 32

__global__ void crossTerms(const double *points, double *terms, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    terms[i] = points[i] * points[n - 1 - i];
}

__global__ void sumCrossTerms(double *total, const double *terms, int n) {
  __shared__ double sum[WIDTH * WIDTH];
  int t = threadIdx.y * WIDTH + threadIdx.x;
  double mine = 0;
  for (int i = t; i < n; i += WIDTH * WIDTH)
    mine += terms[i];
  sum[t] = mine;
  __syncthreads();
  for (int half = WIDTH * WIDTH / 2; half > 0; half /= 2) {
    if (t < half)
      sum[t] += sum[t + half];
    __syncthreads();
  }
  if (threadIdx.x == 0 && threadIdx.y == 0)
    *total = sum[0];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *points, *terms, *total;
  cudaMalloc(&points, n * sizeof(double));
  cudaMalloc(&terms, n * sizeof(double));
  cudaMalloc(&total, sizeof(double));
  crossTerms<<<(n + 255) / 256, 256>>>(points, terms, n);
  sumCrossTerms<<<1, dim3(WIDTH, WIDTH)>>>(total, terms, n);
  cudaDeviceSynchronize();
}
