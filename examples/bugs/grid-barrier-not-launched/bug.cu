// A barrier of the grid stops a launch that is not cooperative: the driver has given it no workspace. The kernel is right
// either way, the launch is not.
#include "../../suite/micro/micro.h"

__global__ void step(unsigned *data) {
  unsigned high, low;
  asm volatile("mov.u32 %0, %%envreg1; mov.u32 %1, %%envreg2;" : "=r"(high), "=r"(low));
  unsigned *arrived = (unsigned *)((unsigned long long)high << 32 | low);
  if (!arrived)
    __trap();
  data[blockIdx.x] = blockIdx.x;
  __threadfence();
  atomicAdd(arrived + 2, 1);
  while (atomicAdd(arrived + 2, 0) < gridDim.x) {
  }
  __threadfence();
  data[gridDim.x + blockIdx.x] = data[gridDim.x - 1 - blockIdx.x];
}
