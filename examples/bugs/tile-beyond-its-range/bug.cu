// A block computes 4 rows in tiles of 8: a tile goes on in the rows of the next block, and stores them as well.
#include "../../suite/micro/micro.h"

enum { ROWS = 4, TILE = 8 };

__global__ void rows(const float *x, float *y, int n) {
#ifdef FIXED
  int last = min((blockIdx.x + 1) * ROWS, n);
#else
  int last = n;
#endif
  for (int start = blockIdx.x * ROWS; start < (blockIdx.x + 1) * ROWS; start += TILE) {
    int row = start + threadIdx.x / 32;
    if (row < last)
      y[row * 32 + LANE] = 2 * x[row * 32 + LANE];
  }
}
