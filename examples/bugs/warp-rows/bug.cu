// Lanes store their keys to a row of their warp and read the rows of other lanes without __syncwarp().
#include "../../suite/micro/micro.h"

__shared__ float keys[4][32];

__global__ void nearest(const float *distances, float *best) {
  unsigned warp = threadIdx.x / 32;
  keys[warp][LANE] = distances[threadIdx.x];  // A
#ifdef FIXED
  __syncwarp();
#endif
  float least = keys[warp][(LANE + 1) % 32];  // B
  least = fminf(least, keys[warp][(LANE + 7) % 32]);
  best[threadIdx.x] = least;
}
