// Warp-aggregated counting: the leader adds for all and passes the base through memory, or
// through a shuffle.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned base = 0;
#ifdef FIXED
  if (t == 0)
    base = atomicAdd(data, 32u);
  base = __shfl_sync(~0u, (int)base, 0);
#else
  if (t == 0)
    data[1] = atomicAdd(data, 32u) + 0;  // A
  else
    base = data[1];  // B
#endif
  out[t] = base + t;
}
