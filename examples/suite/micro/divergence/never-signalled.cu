// A block waits for a flag that nobody sets.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  if (BLOCK(0))
    set_flag(&flag, 1);
#endif
  if (BLOCK(1))
    wait_flag(&flag, 1);
}
