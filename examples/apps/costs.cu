// Measures what calls cost: the first one, launches, copies, allocations. The last column is the
// mean of the calls.
#include "check.h"

#include <chrono>
#include <vector>

__global__ void store(int *to) { to[threadIdx.x] = threadIdx.x; }

template <typename Call> static void measure(const char *what, int times, Call call) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; i++)
    call();
  double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%-32s %10.1f us\n", what, us / times);
}

int main(int argc, char **argv) {
  int times = argc > 1 ? std::atoi(argv[1]) : 1000;
  const size_t large = 64 << 20;
  std::vector<char> host(large);
  int *small, word, *other;
  char *block;
  measure("first call", 1, [] { CHECK(cudaFree(0)); });
  CHECK(cudaMalloc(&small, 32 * sizeof(int)));
  CHECK(cudaMalloc(&block, large));
  measure("first launch", 1, [&] { store<<<1, 32>>>(small); });
  measure("launch of one warp that stores", times, [&] { store<<<1, 32>>>(small); });
  CHECK(cudaGetLastError());
  measure("copy of 4 bytes to the host", times, [&] { CHECK(cudaMemcpy(&word, small, 4, cudaMemcpyDeviceToHost)); });
  measure("cudaMalloc and cudaFree", times, [&] {
    CHECK(cudaMalloc(&other, 4096));
    CHECK(cudaFree(other));
  });
  measure("cudaMallocManaged and cudaFree", times, [&] {
    CHECK(cudaMallocManaged(&other, 4096));
    CHECK(cudaFree(other));
  });
  measure("64 MiB to the device", 4, [&] { CHECK(cudaMemcpy(block, host.data(), large, cudaMemcpyHostToDevice)); });
  measure("64 MiB to the host", 4, [&] { CHECK(cudaMemcpy(host.data(), block, large, cudaMemcpyDeviceToHost)); });
}
