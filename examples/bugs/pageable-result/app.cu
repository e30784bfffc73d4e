// The host reads a result behind an asynchronous copy without a wait for it.
#include <cstdio>
#include <cstdlib>

__global__ void count(int *n) { atomicAdd(n, 1); }

int main() {
  int *d, *h;
  cudaMallocHost((void **)&h, sizeof(int));
  *h = 0;
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaMalloc((void **)&d, sizeof(int));
  cudaMemsetAsync(d, 0, sizeof(int), s);
  count<<<1, 64, 0, s>>>(d);
  cudaMemcpyAsync(h, d, sizeof(int), cudaMemcpyDeviceToHost, s);
#ifdef FIXED
  cudaStreamSynchronize(s);
#endif
  printf("%d\n", *h);
  cudaStreamSynchronize(s);
  cudaFree(d);
}
