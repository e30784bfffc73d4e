// ScoR (read, then read and write): block 0 reads, fences, signals, and reads once more
// while block 1 writes.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    out[0] = data[0];
    __threadfence();
    set_flag(&flag, 1);
#ifndef FIXED
    out[1] = data[0];  // A
#endif
  }
  if (BLOCK(1)) {
    wait_flag(&flag, 1);
    __threadfence();
    data[0] = 42;  // B
  }
}
