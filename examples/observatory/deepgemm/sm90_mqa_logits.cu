// Logits of 8-bit queries with several heads against one set of 8-bit keys.
#include <deep_gemm/impls/sm90_fp8_mqa_logits.cuh>

#include "gemm.cuh"

using namespace deep_gemm;

int main() {
  constexpr uint32_t queries = 8, keys = 512, heads = 32, d = 64, block_q = 4, block_kv = 256, stages = 3;
  auto q = random_values<__nv_fp8_e4m3>(queries * heads * d), kv = random_values<__nv_fp8_e4m3>(keys * d);
  auto w = random_values<float>(queries * heads);
  Buffer<__nv_fp8_e4m3> dq(q), dkv(kv);
  Buffer<float> scales(std::vector<float>(keys, 0.5f)), weights(w), logits(queries * keys);
  Buffer<uint32_t> from(queries), to(std::vector<uint32_t>(queries, keys));
  auto byte = CU_TENSOR_MAP_DATA_TYPE_UINT8, word = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  CUtensorMap map_q = Map{byte, 1, dq, d, queries * heads, d, block_q * heads, CU_TENSOR_MAP_SWIZZLE_64B}.encode();
  CUtensorMap map_kv = Map{byte, 1, dkv, d, keys, d, block_kv, CU_TENSOR_MAP_SWIZZLE_64B}.encode();
  CUtensorMap map_scales = Map{word, 4, scales, keys, 1, block_kv, 1, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  CUtensorMap map_weights = Map{word, 4, weights, heads, queries, heads, block_q, CU_TENSOR_MAP_SWIZZLE_NONE}.encode();
  auto kernel = &sm90_fp8_mqa_logits<heads, d, false, block_q, block_kv, stages, stages, 2, 128, 512, float>;
  size_t shared = stages * (block_q * heads * (d + 4) + block_kv * (d + 4)) + 1024;
  launch(kernel, 2, 640, shared, 1, queries, keys, 0u, keys, from.data, to.data, logits.data, map_q, map_kv, map_scales,
         map_weights);
  CHECK(cudaDeviceSynchronize());

  auto got = logits.host();
  bool right = true;
  for (uint32_t i = 0; i < queries; i++)
    for (uint32_t j = 0; j < keys; j += 13) {
      float sum = 0;
      for (uint32_t h = 0; h < heads; h++) {
        float dot = 0;
        for (uint32_t l = 0; l < d; l++) dot += float(q[(i * heads + h) * d + l]) * float(kv[j * d + l]);
        sum += fmaxf(dot, 0) * w[i * heads + h];
      }
      right &= fabsf(got[i * keys + j] - sum * 0.5f) < 0.5f;
    }
  return finish("sm90_mqa_logits", right);
}
