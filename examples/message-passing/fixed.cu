// Block 0 hands a value to block 1 through a flag, with a fence that covers both.
#include <cuda_runtime.h>

__global__ void pass(unsigned *value, unsigned *flag, unsigned *got) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    value[0] = 42;
    __threadfence();
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence();
    got[0] = value[0];
  }
}
