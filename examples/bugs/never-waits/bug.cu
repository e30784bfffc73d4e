// target: sm_90 ptx80
// A kernel is launched with programmatic stream serialization, and never waits for the kernel before it.
#include "../../suite/micro/micro.h"

__global__ void carry(unsigned *x) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + 1;  // A
}

__global__ void tail(const unsigned *x, unsigned *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  y[i] = ld_weak(x + i) * 2;  // B
}
