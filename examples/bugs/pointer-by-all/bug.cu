// All threads of a block store a pointer to one shared variable, and read it without a barrier between.
#include "../../suite/micro/micro.h"

__shared__ unsigned *where;

__global__ void test(unsigned *out) {
#ifdef FIXED
  if (threadIdx.x == 0)
    where = out;
  __syncthreads();
#else
  where = out;  // A
#endif
  atomicAdd(where, 1u);  // B
}
