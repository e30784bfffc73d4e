// A producer on device 0 and a consumer on device 1, with a volatile flag and fences.
//
//     fence         __threadfence_system()
//     fence device  __threadfence(), which reaches the threads of one device
#include "devices.h"

constexpr int n = 64;

__global__ void produce(int *data, volatile int *flag, bool system) {
  data[threadIdx.x] = 3;
  __syncthreads();
  if (threadIdx.x == 0) {
    if (system)
      __threadfence_system();
    else
      __threadfence();
    *flag = 1;
  }
}

__global__ void consume(const int *data, volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (*flag == 0)
      ;
    __threadfence_system();
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

int main(int, char **argv) {
  connect();
  int *data = array<int>(0, n), *flag = array<int>(1, 1), *out = array<int>(1, n);
  use(1);
  consume<<<1, n>>>(data, flag, out);
  CHECK(cudaGetLastError());
  use(0);
  produce<<<1, n>>>(data, flag, !variant(argv, "device"));
  CHECK(cudaGetLastError());
  synchronize();
  print("fence", holds(1, out, n, 3));
  return 0;
}
