// A tree over the lanes of a warp in which fewer lanes work at each level, without __syncwarp() between levels.
#include "../../suite/micro/micro.h"

__shared__ unsigned levels[32];

__global__ void digits(const unsigned *in, unsigned *out) {
  levels[LANE] = in[LANE];
  __syncwarp();
  if (LANE % 8 == 0)
    levels[LANE] ^= levels[LANE + 4];  // A
#ifdef FIXED
  __syncwarp();
#endif
  if (LANE % 16 == 0)
    out[LANE / 16] = levels[LANE] + levels[LANE + 8];  // B
}
