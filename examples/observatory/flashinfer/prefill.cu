// Attention of several queries over one cache by tensor cores, causal.
#include <flashinfer/attention/default_prefill_params.cuh>
#include <flashinfer/attention/prefill.cuh>
#include <flashinfer/attention/variants.cuh>

#include "../driver.cuh"

using namespace flashinfer;

int main() {
  constexpr uint32_t heads = 1, kv_heads = 1, d = 64, queries = 20, length = 150;
  using Attention = DefaultAttention<false, false, false, false>;
  Buffer<half> q(random_values<half>(queries * heads * d)), k(random_values<half>(length * kv_heads * d));
  Buffer<half> v(random_values<half>(length * kv_heads * d)), o(queries * heads * d), partial(4 << 20);
  Buffer<float> lse(queries * heads);
  SinglePrefillParams<half, half, half> params(q, k, v, nullptr, o, lse, nullptr, heads, kv_heads, queries, length,
                                               heads * d, d, kv_heads * d, d, d, -1, 0, 0.125f, 1, 1e4f);
  CHECK((SinglePrefillWithKVCacheDispatched<d, d, PosEncodingMode::kNone, false, MaskMode::kCausal, Attention>(
      params, partial, nullptr)));
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (half value : o.host()) right &= float(value) > -1 && float(value) < 1;
  return finish("prefill", right);
}
