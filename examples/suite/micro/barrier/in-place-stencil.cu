// Each thread adds its left neighbour, in place: the neighbour across the warp border may
// be updated already.
#include "../micro.h"

__shared__ unsigned row[65];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  row[t + 1] = t;
  if (t == 0)
    row[0] = 0;
  __syncthreads();
  unsigned left = row[t];  // A
#ifdef FIXED
  __syncthreads();
#endif
  row[t + 1] += left;  // B
  __syncthreads();
  out[t] = row[t + 1];
}
