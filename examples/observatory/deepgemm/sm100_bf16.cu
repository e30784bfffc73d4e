// A product of bfloat16 matrices by tcgen05.mma: one block alone, and pairs of blocks.
#include <deep_gemm/impls/sm100_bf16_gemm.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

constexpr uint32_t m = 256, n = 128, k = 320, stages = 4;

template <uint32_t cluster>
void gemm(__nv_bfloat16* a, __nv_bfloat16* b, __nv_bfloat16* d) {
  auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  constexpr uint32_t block_m = 128, block_n = 64, load_n = block_n / cluster;
  CUtensorMap map_a = Map{type, 2, a, k, m, 64, block_m, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b = Map{type, 2, b, k, n, 64, load_n, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_d = Map{type, 2, d, n, m, 64, block_m, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  auto kernel = &sm100_bf16_gemm_impl<cute::UMMA::Major::K, cute::UMMA::Major::K, 0, n, k, block_m, block_n, 64, 1, 128,
                                      128, 128, stages, 128, 128, cluster, false, 2, 128, false, false,
                                      GemmType::Normal, false, cutlass::bfloat16_t, 100>;
  size_t shared = 2 * block_m * 128 + stages * (block_m + load_n) * 128 + 1024;
  launch(kernel, 2, 256, shared, cluster, (int*)nullptr, m, n, k, map_a, map_b, map_d);
}

int main() {
  auto a = random_values<__nv_bfloat16>(m * k), b = random_values<__nv_bfloat16>(n * k);
  Buffer<__nv_bfloat16> da(a), db(b), d(m * n);
  gemm<1>(da, db, d);
  CHECK(cudaDeviceSynchronize());
  bool right = product(a, b, d.host(), m, n, k, 0.1f);
  gemm<2>(da, db, d);
  CHECK(cudaDeviceSynchronize());
  return finish("sm100_bf16", right && product(a, b, d.host(), m, n, k, 0.1f));
}
