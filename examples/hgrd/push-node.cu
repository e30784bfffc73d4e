// A vertex pushes its value to a neighbour, after the pattern of the Indigo suite with its
// "atomic bug": several vertices may have the same neighbour.
// (HGRD, Table 3: pushNode, two races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void push(const int *neighbor, const int *value, int *best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int to = neighbor[i];
  if (best[to] < value[i])
    best[to] = value[i];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *neighbor, *value, *best;
  cudaMalloc(&neighbor, n * sizeof(int));
  cudaMalloc(&value, n * sizeof(int));
  cudaMalloc(&best, n * sizeof(int));
  push<<<(n + 127) / 128, 128>>>(neighbor, value, best, n);
  cudaDeviceSynchronize();
}
