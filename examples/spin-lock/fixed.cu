// One thread of each block increments a counter under a spin lock, with a fence
// after taking the lock and one before giving it back.
#include <cuda_runtime.h>

__global__ void count(unsigned *lock, unsigned *counter) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  __threadfence();
  unsigned n = counter[0];
  counter[0] = n + 1;
  __threadfence();
  atomicExch(lock, 0u);
}
