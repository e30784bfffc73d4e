// A product of bfloat16 matrices by wgmma: one block alone, and clusters of two with multicast; the second reads what
// the first has written.
#include <deep_gemm/impls/sm90_bf16_gemm.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

constexpr uint32_t m = 128, n = 128, k = 320, block = 64, stages = 4;

template <uint32_t cluster, typename D>
void gemm(__nv_bfloat16* a, __nv_bfloat16* b, D* d) {
  auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  constexpr bool wide = sizeof(D) == 4;
  CUtensorMap map_a = Map{type, 2, a, k, m, 64, block, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b = Map{type, 2, b, k, n, 64, block, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_d = Map{wide ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : type, sizeof(D), d, n, m, 64, block,
                          wide ? CU_TENSOR_MAP_SWIZZLE_NONE : CU_TENSOR_MAP_SWIZZLE_128B}
                          .encode();
  auto kernel = &sm90_bf16_gemm_impl<cute::UMMA::Major::K, cute::UMMA::Major::K, 0, n, k, 1, block, block, 64, 128, 128,
                                     wide ? 0 : 128, stages, 128, 128, cluster, false, 2, GemmType::Normal, wide, D>;
  launch(kernel, 2, 256, block * block * sizeof(D) + stages * 2 * block * 64 * 2 + 1024, cluster, (int*)nullptr, m, n,
         k, map_a, map_b, map_d);
}

int main() {
  auto a = random_values<__nv_bfloat16>(m * k), b = random_values<__nv_bfloat16>(n * k);
  Buffer<__nv_bfloat16> da(a), db(b), d(m * n);
  Buffer<float> sums(m * n);
  gemm<1, cutlass::bfloat16_t>(da, db, (cutlass::bfloat16_t*)d.data);
  gemm<2, cutlass::bfloat16_t>(da, db, (cutlass::bfloat16_t*)d.data);
  gemm<1, float>(da, db, sums.data);
  gemm<2, float>(da, db, sums.data);
  CHECK(cudaDeviceSynchronize());
  return finish("sm90_bf16", product(a, b, d.host(), m, n, k, 0.1f) && product(a, b, sums.host(), m, n, k, 0.1f, 2));
}
