// ScoR: an atomic exchange and a volatile store. To PTX the volatile store is relaxed with
// system scope, and so the pair is morally strong.
#include "../micro.h"

__global__ void run(volatile unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    atomicExch((unsigned *)data, 1u);  // A
  }
  if (BLOCK(1)) {
#ifdef FIXED
    atomicExch((unsigned *)data, 2u);
#else
    data[0] = 2;  // B
#endif
  }
}
