// Bits packed, whole and by segments.
#include <flashinfer/quantization.cuh>

#include "../driver.cuh"

int main() {
  constexpr int n = 3000;
  std::vector<uint8_t> bits(n);
  for (auto& bit : bits) bit = random_bits() & 1;
  Buffer<uint8_t> input(bits), packed((n + 7) / 8), segments((n + 7) / 8 + 3);
  using flashinfer::quantization::BitOrder;
  CHECK(flashinfer::quantization::PackBits((bool*)input.data, packed, n, BitOrder::kLittle, nullptr));
  Buffer<int32_t> from({0, 1001, 1002, n}), to({0, 126, 127, 127 + 250});
  CHECK(flashinfer::quantization::SegmentPackBits((bool*)input.data, segments, from.data, to.data, 3u,
                                                  BitOrder::kBig, nullptr));
  CHECK(cudaDeviceSynchronize());

  auto got = packed.host();
  bool right = true;
  for (int i = 0; i < n; i++) right &= (got[i / 8] >> (i % 8) & 1) == bits[i];
  return finish("quantization", right);
}
