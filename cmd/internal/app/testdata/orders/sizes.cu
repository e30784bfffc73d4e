// The size of the device, and 1 GiB of its memory touched in one of several ways.

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(char *a, size_t n) {
  size_t step = 16 * (size_t)gridDim.x * blockDim.x;
  for (size_t i = 16 * (blockIdx.x * (size_t)blockDim.x + threadIdx.x); i < n; i += step) *(size_t *)(a + i) = i;
}

#define GIB (size_t(1) << 30)

int main(int, char **args) {
  size_t room, all;
  char *a, *b;
  cudaMemGetInfo(&room, &all);
  printf("%d of %d\n", int(room / GIB), int(all / GIB));
  if (!strcmp(args[1], "allocate")) {
    printf("%d", cudaMalloc((void **)&a, all / GIB * GIB / 5 * 4));
    cudaMemset(a, 0, all / GIB * GIB / 5 * 4);
    cudaMemGetInfo(&room, &all);
    printf(" leaves %d, then %d\n", int(room / GIB), cudaMalloc((void **)&b, room + GIB));
    return 0;
  }
  if (!strcmp(args[1], "managed"))
    cudaMallocManaged((void **)&a, GIB);
  else
    cudaMalloc((void **)&a, GIB);
  if (!strcmp(args[1], "fill"))
    cudaMemset(a, 1, GIB);
  else if (!strcmp(args[1], "copy"))
    for (size_t i = 0; i < GIB; i += GIB / 64) cudaMemcpy(a + i, calloc(1, GIB / 64), GIB / 64, cudaMemcpyHostToDevice);
  else
    fill<<<1024, 256>>>(a, GIB);
  printf("%d\n", cudaDeviceSynchronize());
  return 0;
}
