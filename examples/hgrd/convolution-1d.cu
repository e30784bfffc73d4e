// A one-dimensional convolution in scatter form. Outputs near the border of a block get
// contributions of two blocks, but the atomics have block scope.
// (HGRD, Table 3: 1dconv, one race.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void scatter(const int *in, const int *filter, int *out, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int k = 0; k < taps; k++)
    atomicAdd_block(&out[i + k], in[i] * filter[k]);
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), taps = atoi(argv[2]);
  int *in, *filter, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&filter, taps * sizeof(int));
  cudaMalloc(&out, (n + taps) * sizeof(int));
  scatter<<<(n + 127) / 128, 128>>>(in, filter, out, n, taps);
  cudaDeviceSynchronize();
}
