// The last block of a reduction reads what the others stored, after its counter, without a fence on its own side.
#include "../../suite/micro/micro.h"

__shared__ bool last;

__global__ void sum(const unsigned *in, unsigned *partial, unsigned *done, unsigned *out) {
  if (threadIdx.x == 0) {
    unsigned s = 0;
    for (int i = 0; i < 8; i++)
      s += in[blockIdx.x * 8 + i];
    partial[blockIdx.x] = s;  // A
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
#ifdef FIXED
    __threadfence();
#endif
    if (threadIdx.x < gridDim.x)
      atomicAdd(out, partial[threadIdx.x]);  // B
  }
}
