// The largest elements of a row, by a cluster of blocks that share their histograms.
#include <flashinfer/fast_topk_clusters_exact.cuh>

#include <algorithm>

#include "../driver.cuh"

int main() {
  constexpr int rows = 2, n = 9000, k = 512, cached = 1024, clusters = 4, overflow = 4096;
  auto values = random_values<float>(rows * n);
  Buffer<float> input(values), best(rows * k);
  Buffer<int> indices(rows * k), spill(rows * clusters * overflow * 4);
  flashinfer::sampling::launch_fast_topk_clusters_exact<float, int>(input, indices, best, n, nullptr, spill, overflow,
                                                                    rows, n, k, cached, clusters, true, k, nullptr);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  auto got = best.host();
  for (int row = 0; row < rows; row++) {
    std::sort(values.begin() + row * n, values.begin() + (row + 1) * n, std::greater<float>());
    std::sort(got.begin() + row * k, got.begin() + (row + 1) * k, std::greater<float>());
    right &= std::equal(got.begin() + row * k, got.begin() + (row + 1) * k, values.begin() + row * n);
  }
  return finish("fast_topk", right);
}
