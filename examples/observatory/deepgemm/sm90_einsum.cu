// A sum of products over a batch, in parts that blocks add up.
#include <deep_gemm/impls/sm90_bmk_bnk_mn.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

int main() {
  constexpr uint32_t s = 2, m = 128, n = 128, k = 128, split = 2, stages = 4;
  auto a = random_values<__nv_bfloat16>(s * m * k), b = random_values<__nv_bfloat16>(s * n * k);
  Buffer<__nv_bfloat16> da(a), db(b);
  Buffer<float> d(m * n);
  auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  CUtensorMap map_a = Map{type, 2, da, k, s * m, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b = Map{type, 2, db, k, s * n, 64, 128, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  auto kernel = &sm90_bmn_bnk_mn_gemm_impl<m, n, k, 128, 128, 64, split, stages, 128, 256>;
  launch(kernel, s * (k / 64) / split, 384, stages * 2 * 128 * 64 * 2 + 1024, 1, s, map_a, map_b, d.data);
  CHECK(cudaDeviceSynchronize());

  auto got = d.host();
  bool right = true;
  for (uint32_t i = 0; i < m; i += 9)
    for (uint32_t j = 0; j < n; j += 7) {
      float sum = 0;
      for (uint32_t l = 0; l < s; l++)
        for (uint32_t x = 0; x < k; x++) sum += float(a[(l * m + i) * k + x]) * float(b[(l * n + j) * k + x]);
      float off = got[i * n + j] - sum;
      right &= off > -0.1f && off < 0.1f;
    }
  return finish("sm90_einsum", right);
}
