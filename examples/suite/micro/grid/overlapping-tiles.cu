// Each block writes its tile, and the racy variant one element of the next.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = 7;  // A
#ifdef FIXED
  unsigned reach = 0;
#else
  unsigned reach = 1;
#endif
  if (threadIdx.x == blockDim.x - 1 && i + reach < n)
    data[i + reach] = 7;  // B
}
