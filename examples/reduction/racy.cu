// The last two steps of a tree reduction in global memory, by one warp
// (iGUARD, Figure 2). Since Volta the lanes of a warp may run ahead of each other:
// nothing orders lane 1's store before lane 0's load.
#include <cuda_runtime.h>

__global__ void reduce(const int *in, int *data) {
  unsigned lane = threadIdx.x;
  int sum = in[lane];
  data[lane] = sum;
  __syncwarp();
  if (lane < 2)
    data[lane] = sum = sum + data[lane + 2];
  // missing: __syncwarp()
  if (lane < 1)
    data[lane] = sum = sum + data[lane + 1];
}
