// The largest elements of rows: one block a row, several blocks a row with a barrier of their own, and by filters.
#include <flashinfer/math.cuh>  // which topk.cuh uses and does not include
#include <flashinfer/topk.cuh>

#include <algorithm>

#include "../driver.cuh"

using namespace flashinfer::sampling;

static bool largest(const std::vector<float>& row, std::vector<float> got) {
  auto sorted = row;
  std::sort(sorted.begin(), sorted.end(), std::greater<float>());
  std::sort(got.begin(), got.end(), std::greater<float>());
  return std::equal(got.begin(), got.end(), sorted.begin());
}

int main(int argc, char** argv) {
  bool filtered = argc > 1 && argv[1][0] == 'f';
  bool deterministic = argc > 1 && argv[1][0] == 'd';
  const uint32_t rows = 1, k = 32, n = filtered ? 3000 : 60000;
  auto values = random_values<float>(rows * n);
  Buffer<float> input(values), best(rows * k), out(rows * n);
  Buffer<int32_t> indices(rows * k);
  Buffer<uint8_t> states(1 << 20);
  auto* state = (RadixRowState*)states.data;

  if (filtered) {
    CHECK((FilteredTopK<float, int32_t>(input, indices, best, nullptr, rows, k, n, true)));
    CHECK((StableSortTopKByValue<float, int32_t>(indices, best, rows, k, n)));
  } else {
    CHECK((RadixTopKMultiCTA<float, int32_t>(input, indices, best, nullptr, rows, k, n, state, deterministic)));
    if (!deterministic) {
      Buffer<float> probs(random_rows(rows, n));
      CHECK((RadixTopKMaskLogitsMultiCTA<float, int32_t>(input, out, nullptr, rows, k, n, state)));
      CHECK((RadixTopKRenormProbMultiCTA<float, int32_t>(probs, out, nullptr, rows, k, n, state)));
      CHECK(cudaDeviceSynchronize());
    }
  }
  CHECK(cudaDeviceSynchronize());
  return finish("topk", largest(values, best.host()));
}
