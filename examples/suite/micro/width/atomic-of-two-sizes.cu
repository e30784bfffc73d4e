// Both are atomics of device scope, but one adds to 64 bits and the other to the upper 32
// of them.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0))
    atomicAdd((unsigned long long *)data, 1ull);  // A
#ifdef FIXED
  if (BLOCK(1))
    atomicAdd((unsigned long long *)data, 1ull << 32);
#else
  if (BLOCK(1))
    atomicAdd(data + 1, 1u);  // B
#endif
}
