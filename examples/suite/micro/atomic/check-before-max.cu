// A thread looks at a maximum before it updates it atomically. The look must be strong,
// too.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  unsigned mine = blockIdx.x + 1;
#ifdef FIXED
  if (ld_relaxed_gpu(data) < mine)
#else
  if (data[0] < mine)  // A
#endif
    atomicMax(data, mine);  // B
}
