// One thread of each block increments a counter under a spin lock. The lock has
// no fences: it keeps the blocks apart, but does not make one block's store
// visible to the next before the lock is seen to be free.
#include <cuda_runtime.h>

__global__ void count(unsigned *lock, unsigned *counter) {
  if (threadIdx.x != 0)
    return;
  while (atomicCAS(lock, 0u, 1u) != 0) {
  }
  unsigned n = counter[0];
  counter[0] = n + 1;
  atomicExch(lock, 0u);
}
