// Leaders of warps in two blocks update a table under one lock for each half of the table.
#include "../micro.h"

__device__ unsigned locks[2];

__global__ void run(unsigned *data, unsigned *out) {
  if (LANE == 0) {
    unsigned i = (blockIdx.x + threadIdx.x / 32) % 4;
#ifdef FIXED
    unsigned *lock = &locks[i / 2];
#else
    unsigned *lock = &locks[threadIdx.x / 32 % 2];
#endif
    spin(lock);
    __threadfence();
    data[i] += 1;  // A
    __threadfence();
    drop(lock);
  }
}
