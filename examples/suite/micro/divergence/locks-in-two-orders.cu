// Two blocks take two locks in opposite order. Each may hold one and wait for the other
// for ever.
#include "../micro.h"

__device__ unsigned first, second;

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  unsigned *one = &first, *two = &second;
#else
  unsigned *one = blockIdx.x == 0 ? &first : &second;
  unsigned *two = blockIdx.x == 0 ? &second : &first;
#endif
  spin(one);
  spin(two);
  __threadfence();
  data[0] += 1;
  __threadfence();
  drop(two);
  drop(one);
}
