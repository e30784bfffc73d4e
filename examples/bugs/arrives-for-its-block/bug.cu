// Threads of two blocks add to a histogram in global memory. Thread 0 then arrives for its block at a barrier of both
// blocks, while other threads of its block have not added yet: the fence releases what they did before the last
// __syncthreads().
#include "../../suite/micro/micro.h"

__device__ void grid_barrier(unsigned *count) {
#ifdef FIXED
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    wait_flag(count, gridDim.x);
    __threadfence();
  }
  __syncthreads();
}

__global__ void histogram(const unsigned *in, unsigned *bins, unsigned *count, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[in[i] % 64], 1u);  // A
  grid_barrier(count);
  out[i] = bins[threadIdx.x];  // B
}
