// Lanes exchange values through shared memory in consecutive instructions.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  word[t] = t + 1;  // A
#ifdef FIXED
  __syncwarp();
#endif
  out[t] = word[t ^ 1];  // B
}
