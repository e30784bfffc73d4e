// HGRD, Figure 3: the grid and a parameter come from one variable of the host.
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void toneMapping(float *output, int width, int channels, float val) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  output[width * channels * y + (x * channels)] = val;
}

static void compress(float *out, int hWidth, int hHeight) {
  dim3 grid(hWidth / 16, hHeight / 16);
  toneMapping<<<grid, dim3(16, 16)>>>(out, hWidth, 4, 1.0f);
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  float *out;
  cudaMalloc(&out, width * height * 4 * sizeof(float));
  compress(out, width, height);
  cudaDeviceSynchronize();
}
