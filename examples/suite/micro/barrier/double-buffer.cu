// Two buffers in turn need one barrier a round; one buffer in turn with itself needs two.
#include "../micro.h"

__shared__ unsigned tile[2][64];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned v = t;
  for (unsigned round = 0; round < 4; round++) {
#ifdef FIXED
    unsigned *now = tile[round % 2];
#else
    unsigned *now = tile[round / 4];
#endif
    now[t] = v;  // A
    __syncthreads();
    v = now[(t + 32) % 64];  // B
  }
  out[t] = v;
}
