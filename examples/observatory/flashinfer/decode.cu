// Attention of one query: over one cache, in parts too, and over a paged cache in batches.
#include <flashinfer/attention/decode.cuh>
#include <flashinfer/attention/default_decode_params.cuh>
#include <flashinfer/attention/variants.cuh>

#include "../driver.cuh"

using namespace flashinfer;

int main() {
  constexpr uint32_t heads = 2, kv_heads = 2, d = 64, length = 320, page = 16, batch = 2;
  using Attention = DefaultAttention<false, false, false, false>;
  Buffer<half> q(random_values<half>(batch * heads * d)), k(random_values<half>(length * kv_heads * d));
  Buffer<half> v(random_values<half>(length * kv_heads * d)), o(batch * heads * d), partial(4 << 20);
  SingleDecodeParams<half, half, half> single(q, k, v, o, nullptr, length, heads, kv_heads, QKVLayout::kNHD, d, -1, 0,
                                              0.125f, 1, 1e4f);
  CHECK((SingleDecodeWithKVCacheDispatched<d, PosEncodingMode::kNone, Attention>(single, partial, nullptr)));

  constexpr uint32_t pages = length / page;
  std::vector<int32_t> order(pages);
  for (uint32_t i = 0; i < pages; i++) order[i] = pages - 1 - i;
  Buffer<int32_t> indices(order), indptr({0, 8, 20}), last({7, 16});
  paged_kv_t<half, int32_t> cache(kv_heads, page, d, batch, QKVLayout::kNHD, k.data, v.data, indices, indptr, last);
  Buffer<float> lse(batch * heads), partial_lse(1 << 16);
  BatchDecodeParams<half, half, half, int32_t> batched(q, nullptr, cache, o, lse, nullptr, heads, heads * d, d, -1, 0,
                                                       0.125f, 1, 1e4f);
  Buffer<int32_t> request({0, 0, 1, 1}), tile({0, 1, 0, 1}), o_indptr({0, 2, 4}), chunk({96});
  batched.request_indices = request;
  batched.kv_tile_indices = tile;
  batched.o_indptr = o_indptr;
  batched.kv_chunk_size_ptr = chunk;
  batched.padded_batch_size = 4;
  CHECK((BatchDecodeWithPagedKVCacheDispatched<d, PosEncodingMode::kRoPELlama, Attention>(batched, partial, partial_lse,
                                                                                          true, nullptr)));
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (half value : o.host()) right &= float(value) > -1 && float(value) < 1;
  return finish("decode", right);
}
