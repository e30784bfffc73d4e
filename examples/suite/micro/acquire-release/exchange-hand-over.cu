// A slot is handed over by atom.exch: acq_rel on both sides, or relaxed.
#include "../micro.h"

__device__ unsigned flag;

__global__ void run(unsigned *data, unsigned *out) {
  if (BLOCK(0)) {
    data[0] = 42;  // A
#ifdef FIXED
    exch_release_gpu(&flag, 1);
#else
    atomicExch(&flag, 1u);
#endif
  }
  if (BLOCK(1)) {
    while (add_acq_rel_gpu(&flag, 0) != 1)
      ;
    out[0] = data[0];  // B
  }
}
