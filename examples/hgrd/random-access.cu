// Random numbers of a block's threads, and a table that they step through: one block does
// it all, so that an index without blockIdx names an element of one thread.
// (HGRD, Table 3: randomAccess, no race; class: dims.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define THREADS 128

__global__ void seed(unsigned *state) {
  unsigned t = threadIdx.x;
  state[t] = t * 2654435761u + 1;
}

__global__ void advance(unsigned *state, unsigned *table, int rows) {
  unsigned t = threadIdx.x;
  unsigned x = state[t];
  for (int r = 0; r < rows; r++) {
    x = x << 1 ^ (x >> 31 ? 7 : 0);
    table[r * THREADS + t] ^= x;
  }
  state[t] = x;
}

int main(int argc, char **argv) {
  int rows = atoi(argv[1]);
  unsigned *state, *table;
  cudaMalloc(&state, THREADS * sizeof(unsigned));
  cudaMalloc(&table, rows * THREADS * sizeof(unsigned));
  seed<<<1, THREADS>>>(state);
  advance<<<1, THREADS>>>(state, table, rows);
  cudaDeviceSynchronize();
}
