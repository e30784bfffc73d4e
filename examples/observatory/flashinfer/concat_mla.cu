// Keys of latent attention put together from their two parts.
#include <flashinfer/concat_mla.cuh>

#include "../driver.cuh"

int main() {
  constexpr int tokens = 3, heads = 128, nope = 128, rope = 64, d = nope + rope;
  Buffer<__nv_bfloat16> k(tokens * heads * d), a(random_values<__nv_bfloat16>(tokens * heads * nope));
  Buffer<__nv_bfloat16> b(random_values<__nv_bfloat16>(tokens * rope));
  CHECK((flashinfer::ConcatMLAK<__nv_bfloat16>(k, a.data, b.data, tokens, heads * d, d, heads * nope, nope, rope)));
  CHECK(cudaDeviceSynchronize());
  auto got = k.host(), from = b.host();
  bool right = true;
  for (int i = 0; i < rope; i++) right &= float(got[5 * d + nope + i]) == float(from[i]);
  return finish("concat_mla", right);
}
