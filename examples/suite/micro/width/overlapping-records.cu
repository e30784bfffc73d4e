// Each thread stores a record of two words; with a stride of one word, neighbours overlap.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  const unsigned stride = 2;
#else
  const unsigned stride = 1;
#endif
  data[stride * i] = i;  // A
  data[stride * i + 1] = i;  // B
}
