// A product of 8-bit matrices with scales for rows of one and blocks of the other, with and without multicast.
#include <deep_gemm/impls/sm90_fp8_gemm_1d2d.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

constexpr uint32_t m = 128, n = 256, k = 640, block_m = 64, block_n = 128, stages = 4;

template <uint32_t cluster>
void gemm(__nv_fp8_e4m3* a, __nv_fp8_e4m3* b, float* scales_a, float* scales_b, __nv_bfloat16* d) {
  auto byte = CU_TENSOR_MAP_DATA_TYPE_UINT8;
  CUtensorMap map_a = Map{byte, 1, a, k, m, 128, block_m, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b = Map{byte, 1, b, k, n, 128, block_n, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_sa =
      Map{CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, scales_a, m, k / 128, block_m, 1, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  CUtensorMap map_d =
      Map{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, d, n, m, 64, block_m, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  auto kernel = &sm90_fp8_gemm_1d2d_impl<cute::UMMA::Major::K, 0, n, k, 1, block_m, block_n, 128, 128, 128, 128, stages,
                                         128, 128, cluster, false, 2, GemmType::Normal, cutlass::bfloat16_t,
                                         epilogue::transform::EpilogueIdentity>;
  size_t shared = block_m * block_n * 2 + stages * ((block_m + block_n) * 128 + block_m * 4) + k / 128 * 4 + 1024;
  launch(kernel, 2, 256, shared, cluster, scales_b, (int*)nullptr, m, n, k, map_a, map_b, map_d, map_sa);
}

int main() {
  auto a = random_values<__nv_fp8_e4m3>(m * k), b = random_values<__nv_fp8_e4m3>(n * k);
  Buffer<__nv_fp8_e4m3> da(a), db(b);
  Buffer<float> scales_a(std::vector<float>(m * k / 128, 0.5f)), scales_b(std::vector<float>(n / 128 * k / 128, 1.0f));
  Buffer<__nv_bfloat16> d(m * n);
  gemm<1>(da, db, scales_a, scales_b, d);
  gemm<2>(da, db, scales_a, scales_b, d);
  CHECK(cudaDeviceSynchronize());
  return finish("sm90_fp8_1d2d", product(a, b, d.host(), m, n, k, 0.2f, 0.5f));
}
