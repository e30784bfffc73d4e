// Tone mapping: a thread compresses the three channels of a pixel.
// (HGRD, Figure 3 and Table 3: toneMapping, no race; class: relations.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void toneMapping(const float *in, float *out, float scale, int width, int channels) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int at = width * channels * y + x * channels;
  float r = in[at], g = in[at + 1], b = in[at + 2];
  float l = scale / (1 + 0.3f * r + 0.6f * g + 0.1f * b);
  out[at] = r * l;
  out[at + 1] = g * l;
  out[at + 2] = b * l;
  out[at + 3] = in[at + 3];
}

static void compress(const float *in, float *out, int width, int height) {
  dim3 block(16, 16);
  dim3 grid(width / 16, height / 16);
  toneMapping<<<grid, block>>>(in, out, 1.5f, width, 4);
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  if (width <= 0 || height <= 0 || width % 16 != 0 || height % 16 != 0)
    return 1;
  float *in, *out;
  size_t bytes = (size_t)width * height * 4 * sizeof(float);
  cudaMalloc(&in, bytes);
  cudaMalloc(&out, bytes);
  compress(in, out, width, height);
  cudaDeviceSynchronize();
}
