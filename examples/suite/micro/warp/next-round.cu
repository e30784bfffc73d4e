// Lanes exchange in a loop with one warp barrier a round: the next store may overtake the
// load.
#include "../micro.h"

__shared__ unsigned word[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned v = t;
  for (unsigned round = 0; round < 3; round++) {
    word[t] = v;  // A
    __syncwarp();
    v = word[t ^ 1];  // B
#ifdef FIXED
    __syncwarp();
#endif
  }
  out[t] = v;
}
