// A copy to another device, and a kernel there that uses it.
//
//     copy           an event between the two streams
//     copy no_event  no order between them
#include "devices.h"

constexpr int n = 1024;

__device__ int thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void fill(int *p) { p[thread_index()] = 7; }

__global__ void add(const int *p, int *q) { q[thread_index()] = p[thread_index()] + 1; }

int main(int, char **argv) {
  int *from = array<int>(0, n), *to = array<int>(1, n), *out = array<int>(1, n);
  cudaStream_t first, second;
  cudaEvent_t copied;
  use(0);
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaEventCreate(&copied));
  use(1);
  CHECK(cudaStreamCreate(&second));

  use(0);
  fill<<<n / 256, 256, 0, first>>>(from);
  CHECK(cudaMemcpyPeerAsync(to, 1, from, 0, n * sizeof *to, first));
  CHECK(cudaEventRecord(copied, first));
  use(1);
  if (!variant(argv, "no_event"))
    CHECK(cudaStreamWaitEvent(second, copied, 0));
  add<<<n / 256, 256, 0, second>>>(to, out);
  synchronize();
  print("copy between devices", holds(1, out, n, 8));
  return 0;
}
