// Probabilities renormalised to the most likely ones that sum to p, in passes of a radix sort over several blocks.
#include <flashinfer/air_top_p.cuh>

#include "../driver.cuh"

int main() {
  constexpr uint32_t rows = 2, n = 8192;
  Buffer<float> probs(random_rows(rows, n)), out(rows * n), top_p(std::vector<float>(rows, 0.5f));
  Buffer<uint8_t> workspace(8 << 20);
  CHECK((flashinfer::sampling::air_top_p::AirTopPRenormProb<false, float>(probs, out, top_p, rows, 0.5f, n,
                                                                           workspace.data)));
  CHECK((flashinfer::sampling::air_top_p::AirTopPRenormProb<true, float>(probs, out, top_p, rows, 0.5f, n,
                                                                          workspace.data)));
  CHECK(cudaDeviceSynchronize());
  float sum = 0;
  auto got = out.host();
  for (uint32_t i = 0; i < n; i++) sum += got[i];
  return finish("air_top_p", sum > 0.99f && sum < 1.01f);
}
