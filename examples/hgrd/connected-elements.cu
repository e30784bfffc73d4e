// One step of connected-element labelling: an element takes the smaller label of its right
// and of its lower neighbour, whose threads store their own at the same time.
// (HGRD, Table 3: conel, two races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void propagate(int *label, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1)
    return;
  int right = label[y * width + x + 1];
  int below = label[(y + 1) * width + x];
  label[y * width + x] = right < below ? right : below;
}

int main(int argc, char **argv) {
  int width = atoi(argv[1]), height = atoi(argv[2]);
  if (width <= 0 || height <= 0)
    return 1;
  int *label;
  cudaMalloc(&label, width * height * sizeof(int));
  dim3 block(16, 16);
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  propagate<<<grid, block>>>(label, width, height);
  cudaDeviceSynchronize();
}
