// The last two steps of a tree reduction in global memory, by one warp, with the
// warp barrier that independent thread scheduling demands (iGUARD, Figure 2).
#include <cuda_runtime.h>

__global__ void reduce(const int *in, int *data) {
  unsigned lane = threadIdx.x;
  int sum = in[lane];
  data[lane] = sum;
  __syncwarp();
  if (lane < 2)
    data[lane] = sum = sum + data[lane + 2];
  __syncwarp();
  if (lane < 1)
    data[lane] = sum = sum + data[lane + 1];
}
