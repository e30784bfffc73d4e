// Each of two devices initialises half of a vector and reads all of it, behind a barrier of its own threads only.
#include <cstdio>
#include <cstdlib>

constexpr int devices = 2, n = 64;

// meet waits until a thread of each device has come, the round-th time.
__device__ void meet(unsigned *arrived, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicAdd_system(arrived, 1);
    while (*(volatile unsigned *)arrived < round * devices)
      ;
    __threadfence_system();
  }
  __syncthreads();
}

__global__ void sum(int *x, unsigned *arrived, int device, int *out) {
  if (threadIdx.x < n / devices)
    x[device * n / devices + threadIdx.x] = 1;
#ifdef FIXED
  meet(arrived, 1);
#else
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    int all = 0;
    for (int i = 0; i < n; i++)
      all += x[i];
    *out = all;
  }
}

int main() {
  int *x, *out[devices], got;
  unsigned *arrived;
  cudaMallocManaged((void **)&x, n * sizeof(int));
  cudaMallocManaged((void **)&arrived, sizeof(unsigned));
  *arrived = 0;
  for (int i = 0; i < n; i++)
    x[i] = 0;
  for (int d = 0; d < devices; d++) {
    cudaSetDevice(d);
    cudaMalloc((void **)&out[d], sizeof(int));
    sum<<<1, n>>>(x, arrived, d, out[d]);
  }
  for (int d = 0; d < devices; d++) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
    cudaMemcpy(&got, out[d], sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", got);
    cudaFree(out[d]);
  }
  cudaFree(x);
  cudaFree(arrived);
}
