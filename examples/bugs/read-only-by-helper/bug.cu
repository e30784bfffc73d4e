// A kernel in place stores through a helper whose parameters are __restrict__. nvcc 13.5 then takes all that the kernel loads
// for read-only, and writes the loads as here.
#include "../../suite/micro/micro.h"

#ifdef FIXED
__device__ float load(const float *p) { return *p; }
#else
__device__ float load(const float *p) { return __nvvm_ldg_f(p); }
#endif

__global__ void turn(const float *x, float *y) {
  unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  float a = load(x + i), b = load(x + i + 1);  // A
  y[i] = -b;                                   // B
  y[i + 1] = a;
}
