// Scales that are powers of two, packed to their exponents: by rows, and by columns.
#include <cmath>
#include <deep_gemm/impls/smxx_layout.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

int main() {
  constexpr uint32_t mn = 152, sf_k = 6, block = 64;
  std::vector<float> scales(mn * sf_k), columns(mn * sf_k);
  for (uint32_t i = 0; i < mn; i++)
    for (uint32_t j = 0; j < sf_k; j++)
      scales[i * sf_k + j] = columns[j * mn + i] = exp2f(int(random_bits() % 8) - 4);
  Buffer<float> by_rows(scales), by_columns(columns);
  Buffer<uint32_t> packed(mn * 2), repacked(mn * 2);
  launch(&transpose_and_pack_fp32_into_ue8m0<512, block, sf_k>, (mn + block - 1) / block, 512, block * sf_k * 4, 1,
         by_rows.data, packed.data, mn, (uint32_t*)nullptr, 0u);
  launch(&pack_fp32_into_ue8m0<1, 128, 128, 4>, 2, 128, 0, 1, by_columns.data, repacked.data, (uint32_t*)nullptr, mn,
         sf_k, 2u, 128u, 128u);
  CHECK(cudaDeviceSynchronize());
  return finish("layout_packed", packed.host() == repacked.host());
}
