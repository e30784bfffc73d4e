// A device copies into an array of another one, whose fill nobody has waited for.
#include <cstdio>

constexpr int n = 64;

__global__ void number(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  constexpr size_t size = n * sizeof(int);
  int *to, *from, got;
  cudaSetDevice(0);
  cudaMalloc((void **)&to, size);
  cudaMemset(to, 0, size);
#ifdef FIXED
  cudaDeviceSynchronize();
#endif
  cudaSetDevice(1);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc((void **)&from, size);
  number<<<1, n, 0, s>>>(from);
  cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, s);
  cudaStreamSynchronize(s);
  cudaMemcpy(&got, to + n - 1, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d\n", got);
  cudaStreamDestroy(s);
  cudaFree(from);
  cudaFree(to);
}
