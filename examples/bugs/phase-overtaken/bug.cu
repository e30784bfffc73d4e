// A thread that runs ahead stores the next phase of a barrier before another warp has read this one.
#include "../../suite/micro/micro.h"

__shared__ unsigned phase;

__global__ void rounds(unsigned *seen, int n) {
  if (threadIdx.x == 0)
    phase = 0;
  __syncthreads();
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++) {
    unsigned now = ld_weak(&phase);  // B
    seen[i * blockDim.x + threadIdx.x] = now;
#ifdef FIXED
    __syncthreads();
#endif
    if (threadIdx.x == 0)
      st_weak(&phase, now ^ 1);  // A
    __syncthreads();
  }
}
