// Several threads sum up what a tissue point takes in: the first one of a group stores,
// the others add, and nothing orders them.
// (HGRD, Table 3: tissue, four races.)
#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void intake(const float *source, float *sum, int points, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int point = i / step;
  int part = i % step;
  if (point >= points)
    return;
  float p = source[i];
  if (part == 0)
    sum[point] = p;
  for (int other = 1; other < step; other++)
    if (part == other)
      sum[point] += p;
}

int main(int argc, char **argv) {
  int points = atoi(argv[1]);
  int step = 4;
  float *source, *sum;
  cudaMalloc(&source, points * step * sizeof(float));
  cudaMalloc(&sum, points * sizeof(float));
  intake<<<(points * step + 255) / 256, 256>>>(source, sum, points, step);
  cudaDeviceSynchronize();
}
