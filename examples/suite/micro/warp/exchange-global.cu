// Lanes exchange values through global memory in consecutive instructions.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  data[t] = t + 1;  // A
#ifdef FIXED
  __syncwarp();
#endif
  out[t] = data[t ^ 1];  // B
}
