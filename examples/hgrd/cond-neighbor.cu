// Vertices with a larger neighbour are counted, after the pattern of the Indigo suite
// with its "atomic bug": the counter is incremented by a load and a store.
// (HGRD, Table 3: condNeighbor, two races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void countSmaller(const int *neighbor, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && neighbor[i] > i)
    count[0] = count[0] + 1;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *neighbor, *count;
  cudaMalloc(&neighbor, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  countSmaller<<<(n + 255) / 256, 256>>>(neighbor, count, n);
  cudaDeviceSynchronize();
}
