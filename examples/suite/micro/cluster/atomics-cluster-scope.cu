// target: sm_90
// Blocks count with atomics of cluster scope: one word for each cluster, or one for all.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  unsigned *count = data + blockIdx.x / 2;
#else
  unsigned *count = data;
#endif
  add_relaxed_cluster(count, 1);  // A
}
