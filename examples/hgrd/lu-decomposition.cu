// LU decomposition in tiles: the tile on the diagonal, then those right of it and below,
// then all others, for one offset after the other.
// (HGRD, Figure 4 and Table 3: luDecomposition, no race; class: bounds.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define TILE 16

__global__ void diagonal(float *m, int dim, int offset) {
  __shared__ float tile[TILE][TILE];
  int t = threadIdx.x;
  for (int i = 0; i < TILE; i++)
    tile[i][t] = m[(offset + i) * dim + offset + t];
  __syncthreads();
  for (int i = 0; i < TILE - 1; i++) {
    if (t > i)
      tile[t][i] /= tile[i][i];
    __syncthreads();
    if (t > i)
      for (int j = i + 1; j < TILE; j++)
        tile[t][j] -= tile[t][i] * tile[i][j];
    __syncthreads();
  }
  for (int i = 0; i < TILE; i++)
    m[(offset + i) * dim + offset + t] = tile[i][t];
}

__global__ void perimeter(float *m, int dim, int offset) {
  __shared__ float corner[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
  int t = threadIdx.x;
  int other = offset + (blockIdx.x + 1) * TILE;
  for (int i = 0; i < TILE; i++) {
    corner[i][t] = m[(offset + i) * dim + offset + t];
    right[i][t] = m[(offset + i) * dim + other + t];
    below[i][t] = m[(other + i) * dim + offset + t];
  }
  __syncthreads();
  for (int i = 1; i < TILE; i++) // a column of the tile on the right
    for (int k = 0; k < i; k++)
      right[i][t] -= corner[i][k] * right[k][t];
  for (int i = 0; i < TILE; i++) { // a row of the tile below
    for (int k = 0; k < i; k++)
      below[t][i] -= below[t][k] * corner[k][i];
    below[t][i] /= corner[i][i];
  }
  __syncthreads();
  for (int i = 0; i < TILE; i++) {
    m[(offset + i) * dim + other + t] = right[i][t];
    m[(other + i) * dim + offset + t] = below[i][t];
  }
}

__global__ void internal(float *m, int dim, int offset) {
  int row = offset + (blockIdx.y + 1) * TILE;
  int col = offset + (blockIdx.x + 1) * TILE;
  float sum = 0;
  for (int i = 0; i < TILE; i++)
    sum += m[(row + threadIdx.y) * dim + offset + i] * m[(offset + i) * dim + col + threadIdx.x];
  m[(row + threadIdx.y) * dim + col + threadIdx.x] -= sum;
}

static void decompose(float *m, int dim) {
  dim3 block(TILE, TILE);
  int i;
  for (i = 0; i < dim - TILE; i += TILE) {
    diagonal<<<1, TILE>>>(m, dim, i);
    perimeter<<<(dim - i) / TILE - 1, TILE>>>(m, dim, i);
    dim3 grid((dim - i) / TILE - 1, (dim - i) / TILE - 1);
    internal<<<grid, block>>>(m, dim, i);
  }
  diagonal<<<1, TILE>>>(m, dim, i);
}

int main(int argc, char **argv) {
  int dim = atoi(argv[1]);
  if (dim < TILE || dim % TILE != 0) {
    return 1;
  }
  float *m;
  cudaMalloc(&m, dim * dim * sizeof(float));
  decompose(m, dim);
  cudaDeviceSynchronize();
}
