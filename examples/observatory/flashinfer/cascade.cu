// States of attention merged: two, several, and a variable number of them.
#include <flashinfer/attention/cascade.cuh>

#include "../driver.cuh"

int main() {
  constexpr uint32_t length = 3, heads = 2, d = 128, sets = 4;
  size_t n = length * heads;
  Buffer<half> a(random_values<half>(n * d)), b(random_values<half>(n * d)), merged(n * d);
  Buffer<float> sa(random_values<float>(n)), sb(random_values<float>(n)), s(n);
  using namespace flashinfer;
  CHECK((MergeState<half, half>(a, sa, b, sb, merged, s, length, heads, d)));
  CHECK((MergeStateInPlace<half>(a, sa, b, sb, length, heads, d)));

  Buffer<half> many(random_values<half>(n * sets * d));
  Buffer<float> s_many(random_values<float>(n * sets));
  CHECK((MergeStates<half, half>(many, s_many, merged, s, sets, length, heads, d)));
  CHECK((AttentionSum<half, half>(many, merged, sets, length, heads, d)));
  Buffer<int32_t> indptr({0, 5, 6, 12});
  CHECK((VariableLengthMergeStates<half, half, int32_t>(many, s_many, indptr, merged, s, length, nullptr, heads, d,
                                                        true)));
  CHECK((VariableLengthAttentionSum<half, half, int32_t>(many, indptr, merged, length, nullptr, heads, d, true)));

  constexpr uint32_t large = 200;
  Buffer<half> more(random_values<half>(heads * large * d));
  Buffer<float> s_more(random_values<float>(heads * large));
  CHECK((MergeStates<half, half>(more, s_more, merged, s, large, 1, heads, d)));
  CHECK(cudaDeviceSynchronize());
  return finish("cascade", merged.host().size() == n * d);
}
