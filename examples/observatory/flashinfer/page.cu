// Keys and values appended to a paged cache, for decoding and by positions; also for latent attention.
#include <flashinfer/page.cuh>

#include "../driver.cuh"

int main() {
  constexpr uint32_t heads = 2, page = 8, d = 128, batch = 2, pages = 6, tokens = 5;
  using namespace flashinfer;
  Buffer<half> k_cache(pages * page * heads * d), v_cache(pages * page * heads * d);
  Buffer<int32_t> indices({0, 2, 4, 5}), indptr({0, 2, 4}), last({3, 8});
  paged_kv_t<half, int32_t> cache(heads, page, d, batch, QKVLayout::kNHD, k_cache.data, v_cache.data, indices, indptr,
                                  last);
  Buffer<half> key(random_values<half>(tokens * heads * d)), value(random_values<half>(tokens * heads * d));
  CHECK((AppendPagedKVCacheDecode<half, int32_t>(cache, key, value)));
  Buffer<int32_t> owner({0, 0, 1, 1, 1}), positions({9, 10, 3, 4, 5});
  CHECK((AppendPagedKVCache<half, int32_t>(cache, key, value, owner, positions, tokens, heads * d, d, heads * d, d)));

  constexpr uint32_t ckv = 512, kpe = 64;
  Buffer<half> ckv_cache(pages * page * ckv), kpe_cache(pages * page * kpe);
  int64_t ckv_strides[] = {page * ckv, ckv}, kpe_strides[] = {page * kpe, kpe};
  paged_kv_mla_t<half, int32_t> latent(page, ckv, kpe, batch, ckv_cache.data, ckv_strides, kpe_cache.data, kpe_strides,
                                       indices, indptr, last);
  Buffer<half> c(random_values<half>(tokens * ckv)), p(random_values<half>(tokens * kpe));
  CHECK((AppendPagedKVMlaCache<half, int32_t>(latent, c, p, owner, positions, tokens, ckv, kpe)));
  CHECK(cudaDeviceSynchronize());

  auto keys = key.host(), cached = k_cache.host();
  bool right = true;
  for (uint32_t i = 0; i < heads * d; i++)  // token 0 is at entry 1 of the second page of request 0, page 2
    right &= float(keys[i]) == float(cached[(2 * page + 1) * heads * d + i]);
  return finish("page", right);
}
