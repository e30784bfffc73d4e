// Lanes of a warp exchange values through global memory in two steps, without a warp
// barrier between store and load: an intra-warp race since Volta.
// (HGRD, Table 3: warpCommunicate, two races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void exchange(int *low, int *high, int *out) {
  int lane = threadIdx.x;
  int base = blockIdx.x * 32;
  low[base + lane] = lane;
  high[base + lane] = -lane;
  // missing: __syncwarp()
  int a = low[base + 31 - lane];
  int b = high[base + (lane + 1) % 32];
  out[base + lane] = a + b;
}

int main(int argc, char **argv) {
  int warps = atoi(argv[1]);
  int *low, *high, *out;
  cudaMalloc(&low, warps * 32 * sizeof(int));
  cudaMalloc(&high, warps * 32 * sizeof(int));
  cudaMalloc(&out, warps * 32 * sizeof(int));
  exchange<<<warps, 32>>>(low, high, out);
  cudaDeviceSynchronize();
}
