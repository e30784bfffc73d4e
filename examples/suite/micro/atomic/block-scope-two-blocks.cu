// ScoR: two blocks count with atomics of block scope. Each is atomic with respect to its
// own block only.
#include "../micro.h"

__global__ void run(unsigned *data, unsigned *out) {
#ifdef FIXED
  atomicAdd(data, 1u);
#else
  atomicAdd_block(data, 1u);  // A
#endif
}
