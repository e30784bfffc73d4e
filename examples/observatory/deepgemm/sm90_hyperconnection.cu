// A product with TF32 and the sums of squares of its rows.
#include <deep_gemm/impls/sm90_tf32_hc_prenorm_gemm.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

int main() {
  constexpr uint32_t m = 64, n = 24, k = 1024, block_n = 32, stages = 4;
  auto a = random_values<__nv_bfloat16>(m * k);
  auto b = random_values<float>(n * k);
  Buffer<__nv_bfloat16> da(a);
  Buffer<float> db(b), d(m * n), squares(m);
  CUtensorMap map_a =
      Map{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, da, k, m, 64, 64, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_b =
      Map{CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4, db, k, n, 32, block_n, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  CUtensorMap map_d =
      Map{CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, d, n, m, 32, 64, CU_TENSOR_MAP_SWIZZLE_128B}.encode();
  auto kernel = &sm90_tf32_hc_prenorm_gemm_impl<n, k, 64, block_n, 64, 1, 128, stages, 128, 128>;
  launch(kernel, m / 64, 256, 64 * 128 + stages * (64 * 64 * 2 + block_n * 64 * 4) + 1024, 1, m, map_a, map_b, map_d,
         squares.data);
  CHECK(cudaDeviceSynchronize());

  auto got = d.host(), sums = squares.host();
  bool right = true;
  for (uint32_t i = 0; i < m; i += 5) {
    float square = 0, sum = 0;
    for (uint32_t l = 0; l < k; l++) square += float(a[i * k + l]) * float(a[i * k + l]);
    for (uint32_t l = 0; l < k; l++) sum += float(a[i * k + l]) * b[3 * k + l];
    right &= fabsf(square - sums[i]) < 0.1f && fabsf(sum - got[i * n + 3]) < 0.5f;
  }
  return finish("sm90_hyperconnection", right);
}
