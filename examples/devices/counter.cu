// Both devices count what they have found in one counter.
//
//     counter         atomic operations of system scope
//     counter device  atomic operations of device scope: those of the other device may be lost
#include "devices.h"

template <bool system> __global__ void count(const int *data, int *found) {
  if (data[blockIdx.x * blockDim.x + threadIdx.x] == 0) {
    if (system)
      atomicAdd_system(found, 1);
    else
      atomicAdd(found, 1);
  }
}

int main(int, char **argv) {
  constexpr int n = 128;
  connect();
  int *found = array<int>(0, 1), *data[devices];
  for (int d = 0; d < devices; d++)
    data[d] = array<int>(d, n);
  for (int d = 0; d < devices; d++) {
    use(d);
    if (variant(argv, "device"))
      count<false><<<2, n / 2>>>(data[d], found);
    else
      count<true><<<2, n / 2>>>(data[d], found);
    CHECK(cudaGetLastError());
  }
  synchronize();
  print("counter", holds(0, found, 1, devices * n));
  return 0;
}
