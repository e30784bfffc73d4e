// Products of 8-bit matrices with scales for rows of both, added to d: one, with and without multicast, and one for
// each group of columns, for which the kernel changes its tensor maps.
#include <deep_gemm/impls/sm90_fp8_gemm_1d1d.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

constexpr uint32_t m = 128, n = 128, block = 64, stages = 4, groups = 3;

template <uint32_t cluster, GemmType type>
void gemm(__nv_fp8_e4m3* a, __nv_fp8_e4m3* b, float* scales_a, float* scales_b, float* d, uint32_t k, uint32_t k_first,
          int* layout, CUtensorMap* maps) {
  constexpr bool grouped = type == GemmType::KGroupedContiguous;
  auto byte = CU_TENSOR_MAP_DATA_TYPE_UINT8, word = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  CUtensorMap map_a = Map{byte, 1, a, k_first, m, 128, block, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b = Map{byte, 1, b, k_first, n, 128, block, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_sa = Map{word, 4, scales_a, m, k / 128, block, 1, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  CUtensorMap map_sb = Map{word, 4, scales_b, n, k / 128, block, 1, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  CUtensorMap map_d = Map{word, 4, d, n, m * (grouped ? groups : 1), block, 64, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  auto kernel = &sm90_fp8_gemm_1d1d_impl<0, 0, 0, grouped ? groups : 1, block, block, 128, 128, 128, stages, 128, 128,
                                         cluster, false, 2, type, float>;
  size_t shared = 4 * 128 + block * block * 4 + stages * (2 * block * 128 + 2 * block * 4) + 1024;
  launch(kernel, 2, 256, shared, cluster, a, b, layout, maps, m, n, k, map_a, map_b, map_sa, map_sb, map_d);
}

int main() {
  constexpr uint32_t k = 6 * 128;
  auto a = random_values<__nv_fp8_e4m3>(m * k), b = random_values<__nv_fp8_e4m3>(n * k);
  Buffer<__nv_fp8_e4m3> da(a), db(b);
  Buffer<float> scales_a(std::vector<float>(m * k / 128, 0.5f)), scales_b(std::vector<float>(n * k / 128, 1.0f));
  Buffer<float> d(m * n), by_group(groups * m * n);
  Buffer<int> layout({256, 128, 384});
  Buffer<CUtensorMap> maps(2 * 2);
  gemm<1, GemmType::Normal>(da, db, scales_a, scales_b, d, k, k, nullptr, nullptr);
  gemm<2, GemmType::Normal>(da, db, scales_a, scales_b, d, k, k, nullptr, nullptr);
  gemm<1, GemmType::KGroupedContiguous>(da, db, scales_a, scales_b, by_group, k, 256, layout, maps);
  CHECK(cudaDeviceSynchronize());

  bool right = product(a, b, d.host(), m, n, k, 0.1f);
  auto got = by_group.host();
  uint32_t from = 0, sizes[] = {256, 128, 384};
  for (uint32_t g = 0; g < groups; from += sizes[g++]) {
    std::vector<__nv_fp8_e4m3> part_a(a.begin() + from * m, a.begin() + (from + sizes[g]) * m);
    std::vector<__nv_fp8_e4m3> part_b(b.begin() + from * n, b.begin() + (from + sizes[g]) * n);
    std::vector<float> part(got.begin() + g * m * n, got.begin() + (g + 1) * m * n);
    right &= product(part_a, part_b, part, m, n, sizes[g], 0.1f, 0.5f);
  }
  return finish("sm90_fp8_1d1d", right);
}
