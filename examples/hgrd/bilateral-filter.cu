// A bilateral filter: a pixel becomes a weighted mean of those around it.
// (HGRD, Table 3: bilateralFilter, no race.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define RADIUS 3

__global__ void bilateral(const float *in, float *out, int width, int height, float range) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float center = in[y * width + x];
  float sum = 0, weights = 0;
  for (int dy = -RADIUS; dy <= RADIUS; dy++)
    for (int dx = -RADIUS; dx <= RADIUS; dx++) {
      int px = x + dx, py = y + dy;
      if (px < 0 || py < 0 || px >= width || py >= height)
        continue;
      float v = in[py * width + px];
      float d = (v - center) * range;
      float w = 1.0f / (1.0f + d * d + dx * dx + dy * dy);
      sum += w * v;
      weights += w;
    }
  out[y * width + x] = sum / weights;
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  if (width <= 0 || height <= 0)
    return 1;
  float *in, *out;
  size_t bytes = (size_t)width * height * sizeof(float);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  const int tile = 16;
  dim3 threads(tile, tile);
  dim3 blocks((width + tile - 1) / tile, (height + tile - 1) / tile);
  bilateral<<<blocks, threads>>>(in, out, width, height, 0.5f);
  cudaDeviceSynchronize();
}
