// Union-find with path compression, after the pattern of the Indigo suite: threads
// shorten the path of a vertex while others walk it. Nothing orders the walk's load and
// the store, nor two stores. (HGRD, Table 3: pathCompression, two races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void compress(const int *vertices, const int *root, int *parent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = vertices[i];
  int up = parent[v];
  if (up != v)
    parent[v] = root[up];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), nodes = atoi(argv[2]);
  int *vertices, *root, *parent;
  cudaMalloc(&vertices, n * sizeof(int));
  cudaMalloc(&root, nodes * sizeof(int));
  cudaMalloc(&parent, nodes * sizeof(int));
  compress<<<(n + 255) / 256, 256>>>(vertices, root, parent, n);
  cudaDeviceSynchronize();
}
