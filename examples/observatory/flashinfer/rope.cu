// Rotary embeddings: by ragged batches, by positions, by a table, and quantised.
#include <flashinfer/pos_enc.cuh>

#include "../driver.cuh"

int main() {
  constexpr uint32_t tokens = 6, batch = 2, heads = 4, kv_heads = 2, d = 64;
  Buffer<half> q(random_values<half>(tokens * heads * d)), k(random_values<half>(tokens * kv_heads * d));
  Buffer<half> q_rope(tokens * heads * d), k_rope(tokens * kv_heads * d);
  Buffer<int32_t> indptr({0, 4, 6}), offsets({0, 3}), positions({0, 1, 2, 3, 3, 4});
  Buffer<float> table(random_values<float>(16 * d));
  using namespace flashinfer;
  size_t qn = heads * d, kn = kv_heads * d;

  CHECK((BatchQKApplyRotary<half, int32_t>(q, k, q_rope, k_rope, indptr, offsets, batch, heads, kv_heads, d, d, qn, d,
                                           kn, d, qn, d, kn, d, false, 1.0f, 1e4f)));
  CHECK((BatchQKApplyRotaryPosIds<half, int32_t>(q, k, q_rope, k_rope, positions, tokens, heads, kv_heads, d, d, qn, d,
                                                 kn, d, qn, d, kn, d, true, 1.0f, 1e4f)));
  CHECK((BatchQKApplyRotaryPosIdsCosSinCache<half, int32_t>(q, k, q_rope, k_rope, table, positions, tokens, heads,
                                                            kv_heads, d, d, qn, d, kn, d, qn, d, kn, d, false)));
  CHECK((BatchQKApplyRotaryInPlace<half, int32_t>(q, k, indptr, offsets, batch, heads, kv_heads, d, d, qn, d, kn, d,
                                                  false, 1.0f, 1e4f)));
  CHECK(cudaDeviceSynchronize());

  auto before = random_values<half>(1);
  auto rotated = q_rope.host();
  return finish("rope", before.size() == 1 && rotated.size() == q.size);
}
