// Thread 0 resets the length of a queue in shared memory while others still read the length of the last round.
#include "../../suite/micro/micro.h"

__shared__ unsigned length;
__shared__ unsigned queue[64];

__global__ void relax(unsigned *out, int rounds) {
  if (threadIdx.x == 0)
    length = 0;
  __syncthreads();
  unsigned seen = 0;
#pragma clang loop unroll(disable)
  for (int r = 0; r < rounds; r++) {
    if ((threadIdx.x + r) % 3 == 0)
      queue[atomicAdd(&length, 1u)] = threadIdx.x;
    __syncthreads();
    seen += length;  // B
#ifdef FIXED
    __syncthreads();
#endif
    if (threadIdx.x == 0)
      length = 0;  // A
    __syncthreads();
  }
  out[threadIdx.x] = seen;
}
