// Needleman-Wunsch in tiles, one anti-diagonal of tiles after the other: first towards the
// long diagonal, then away from it.
// (HGRD, Table 3: needlemanWunsch, no race; class: bounds.)
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

__device__ int best(int a, int b, int c) { return a > b ? (a > c ? a : c) : (b > c ? b : c); }

__device__ void fill(int *score, const int *match, int cols, int penalty, int tileX, int tileY) {
  __shared__ int s[TILE + 1][TILE + 1];
  int t = threadIdx.x;
  int first = cols * TILE * tileY + TILE * tileX;
  if (t == 0)
    s[0][0] = score[first];
  s[0][t + 1] = score[first + t + 1];
  s[t + 1][0] = score[first + cols * (t + 1)];
  __syncthreads();
  for (int d = 0; d < 2 * TILE - 1; d++) {
    int x = t + 1, y = d - t + 1;
    if (y >= 1 && y <= TILE)
      s[y][x] = best(s[y - 1][x - 1] + match[first + cols * y + x], s[y][x - 1] - penalty, s[y - 1][x] - penalty);
    __syncthreads();
  }
  for (int i = 0; i < TILE; i++)
    score[first + cols * (i + 1) + t + 1] = s[i + 1][t + 1];
}

__global__ void grow(int *score, const int *match, int cols, int penalty, int diagonal) {
  int x = blockIdx.x;
  fill(score, match, cols, penalty, x, diagonal - 1 - x);
}

__global__ void shrink(int *score, const int *match, int cols, int penalty, int diagonal, int width) {
  int x = blockIdx.x + width - diagonal;
  fill(score, match, cols, penalty, x, width - blockIdx.x - 1);
}

int main(int argc, char **argv) {
  int size = atoi(argv[1]), penalty = atoi(argv[2]);
  if (size <= 0 || size % TILE != 0) {
    fprintf(stderr, "the size must be a multiple of %d\n", TILE);
    exit(1);
  }
  int cols = size + 1;
  int *score, *match;
  cudaMalloc(&score, cols * cols * sizeof(int));
  cudaMalloc(&match, cols * cols * sizeof(int));
  int width = size / TILE;
  for (int d = 1; d <= width; d++)
    grow<<<d, TILE>>>(score, match, cols, penalty, d);
  for (int d = width - 1; d >= 1; d--)
    shrink<<<d, TILE>>>(score, match, cols, penalty, d, width);
  cudaDeviceSynchronize();
}
