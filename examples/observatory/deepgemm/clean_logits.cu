// Logits outside of sequences set to -inf.
#include <cmath>
#include <deep_gemm/impls/smxx_clean_logits.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

int main() {
  constexpr uint32_t rows = 6, columns = 512;
  Buffer<float> logits(random_values<float>(rows * columns));
  Buffer<uint32_t> from({0, 5, 17, 64, 100, 300}), to({3, 40, 512, 65, 400, 509});
  launch(&smxx_clean_logits<1, 256, 2, float>, 2, 64, 256 * 4, 1, rows, columns, (uint64_t)columns, from.data, to.data,
         logits.data);
  CHECK(cudaDeviceSynchronize());

  auto clean = logits.host();
  bool right = true;
  auto begin = from.host(), end = to.host();
  for (uint32_t i = 0; i < rows; i++)
    for (uint32_t j = 0; j < columns; j++)
      right &= (clean[i * columns + j] == -INFINITY) == (j < begin[i] || j >= end[i]);
  return finish("clean_logits", right);
}
