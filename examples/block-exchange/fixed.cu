// Threads of one block swap values with a thread of another warp, through global
// memory, with a block barrier between writing and reading.
#include <cuda_runtime.h>

__global__ void exchange(const unsigned *in, unsigned *tmp, unsigned *out) {
  unsigned i = threadIdx.x;
  tmp[i] = in[i] + 1;
  __syncthreads();
  out[i] = tmp[(i + 32) % blockDim.x];
}
