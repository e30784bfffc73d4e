// A shifted copy into memory whose rows lie a pitch apart, which the allocation chooses.
// (HGRD, Figure 5 and Table 3: pitchLinear, no race; class: sizes.)
#include <cuda_runtime.h>
#include <stdlib.h>

#define TILE 32

__global__ void shift(float *out, const float *in, int pitch, int width, int height, int dx, int dy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * pitch + x] = in[(y + dy) % height * width + (x + dx) % width];
}

int main(int argc, char **argv) {
  int nx = atoi(argv[1]), ny = atoi(argv[2]);
  if (nx <= 0 || ny <= 0 || nx % TILE != 0 || ny % TILE != 0)
    return EXIT_FAILURE;
  float *out, *in;
  size_t pitchBytes;
  cudaMallocPitch((void **)&out, &pitchBytes, nx * sizeof(float), ny);
  cudaMalloc((void **)&in, nx * ny * sizeof(float));
  dim3 block(TILE, TILE);
  dim3 grid(nx / TILE, ny / TILE);
  shift<<<grid, block>>>(out, in, (int)(pitchBytes / sizeof(float)), nx, ny, 3, 5);
  cudaDeviceSynchronize();
}
