// The result is copied in a stream that does not wait for the legacy stream, and the buffer is freed in the legacy
// stream: the copy may read memory that another allocation has got.
#include <cstdio>

__global__ void fill(unsigned *x) { x[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

int main() {
  const int n = 512;
  unsigned *x, *h;
  cudaStream_t active;
  cudaStreamCreateWithFlags(&active, cudaStreamNonBlocking);
  cudaMallocHost((void **)&h, n * sizeof *h);
  cudaMallocAsync((void **)&x, n * sizeof *x, active);
  fill<<<n / 128, 128, 0, active>>>(x);
  cudaMemcpyAsync(h, x, n * sizeof *h, cudaMemcpyDeviceToHost, active);  // A
#ifdef FIXED
  cudaStreamSynchronize(active);
#endif
  cudaFreeAsync(x, 0);  // B
  cudaStreamSynchronize(active);
  printf("%u\n", h[100]);
  cudaFreeHost(h);
}
