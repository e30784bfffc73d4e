// The row pass of a separable convolution: a block makes eight times its width of results.
// (HGRD, Table 3: convSeparable, no race; class: relations.)
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

#define RADIUS 8
#define WIDTH 16
#define HEIGHT 4
#define STEPS 8

__constant__ float taps[2 * RADIUS + 1];

__global__ void convolveRows(float *dst, const float *src, int width, int pitch) {
  int x = blockIdx.x * STEPS * WIDTH + threadIdx.x;
  int y = blockIdx.y * HEIGHT + threadIdx.y;
  for (int s = 0; s < STEPS; s++) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) {
      int at = x + s * WIDTH + k;
      if (at >= 0 && at < width)
        sum += taps[RADIUS - k] * src[y * pitch + at];
    }
    dst[y * pitch + x + s * WIDTH] = sum;
  }
}

static void convolve(float *dst, const float *src, int imageW, int imageH) {
  assert(imageW % (STEPS * WIDTH) == 0);
  assert(imageH % HEIGHT == 0);
  dim3 blocks(imageW / (STEPS * WIDTH), imageH / HEIGHT);
  dim3 threads(WIDTH, HEIGHT);
  convolveRows<<<blocks, threads>>>(dst, src, imageW, imageW);
}

int main(int argc, char **argv) {
  const int imageW = atoi(argv[1]);
  const int imageH = atoi(argv[2]);
  float *in, *out;
  cudaMalloc((void **)&in, imageW * imageH * sizeof(float));
  cudaMalloc((void **)&out, imageW * imageH * sizeof(float));
  convolve(out, in, imageW, imageH);
  cudaDeviceSynchronize();
}
