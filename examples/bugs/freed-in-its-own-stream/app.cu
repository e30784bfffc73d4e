// A buffer is freed in the stream that allocated it, while a kernel of another stream may still use it.
#include <cstdio>

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 2 + 1;  // A
}

int main() {
  const int n = 1024;
  float *x;
  cudaStream_t allocating, working;
  cudaStreamCreateWithFlags(&allocating, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&working, cudaStreamNonBlocking);
  cudaMallocAsync((void **)&x, n * sizeof(float), allocating);
  cudaMemsetAsync(x, 0, n * sizeof(float), allocating);
  cudaStreamSynchronize(allocating);
  scale<<<n / 128, 128, 0, working>>>(x, n);
#ifdef FIXED
  cudaEvent_t used;
  cudaEventCreate(&used);
  cudaEventRecord(used, working);
  cudaStreamWaitEvent(allocating, used, 0);
#endif
  cudaFreeAsync(x, allocating);  // B
  cudaDeviceSynchronize();
  puts("done");
}
