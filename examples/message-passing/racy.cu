// Block 0 hands a value to block 1 through a flag. The fence between the value
// and the flag covers only block 0's own threads, so block 1 may see the flag and
// not the value.
#include <cuda_runtime.h>

__global__ void pass(unsigned *value, unsigned *flag, unsigned *got) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    value[0] = 42;
    __threadfence_block();
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence();
    got[0] = value[0];
  }
}
