// HGRD, Figure 2: the host launches the last step of a reduction with one block.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void reduceFinal(const float *array, float *res, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++)
    sum += array[i];
  if (threadIdx.x == 0)
    res[0] = sum;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *array, *res;
  cudaMalloc(&array, n * sizeof(float));
  cudaMalloc(&res, sizeof(float));
  reduceFinal<<<1, 64>>>(array, res, n);
  cudaDeviceSynchronize();
}
