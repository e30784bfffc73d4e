// Sampling from probabilities and logits, renormalised probabilities, speculative sampling.
#include <flashinfer/sampling.cuh>

#include "../driver.cuh"

int main() {
  constexpr uint32_t rows = 2, d = 4100, drafts = 3;
  Buffer<float> probs(random_rows(rows, d)), logits(random_values<float>(rows * d)), out(rows * d);
  Buffer<float> top_p(std::vector<float>(rows, 0.5f)), min_p(std::vector<float>(rows, 0.2f));
  Buffer<int32_t> ids(rows), top_k(std::vector<int32_t>(rows, 40));
  Buffer<uint8_t> valid(rows), workspace(1 << 20);
  using namespace flashinfer::sampling;
  bool* ok = (bool*)valid.data;

  CHECK((OnlineSoftmax<float>(logits, out, rows, d, nullptr, 1.0f, workspace.data, workspace.size, true)));
  CHECK((SamplingFromLogits<float, int32_t>(logits, ids, nullptr, rows, d, true, nullptr, 7, nullptr, 0)));
  CHECK((SamplingFromProb<float, int32_t>(probs, ids, ok, nullptr, rows, d, true, nullptr, 7, nullptr, 0)));
  CHECK((TopKSamplingFromProb<float, int32_t>(probs, ids, ok, nullptr, nullptr, rows, 40, d, true, nullptr, 7, nullptr,
                                              0)));
  CHECK((TopPSamplingFromProb<float, int32_t>(probs, ids, ok, nullptr, top_p, rows, 0.5f, d, true, nullptr, 7, nullptr,
                                              0)));
  CHECK((MinPSamplingFromProb<float, int32_t>(probs, min_p, ids, ok, nullptr, rows, 0.2f, d, true, nullptr, 7, nullptr,
                                              0)));
  CHECK((TopKTopPSamplingFromProb<float, int32_t>(probs, top_k, top_p, ids, ok, nullptr, rows, 40, 0.5f, d, true,
                                                  nullptr, 7, nullptr, 0)));
  CHECK((TopPRenormProb<float>(probs, out, top_p, rows, 0.5f, d)));

  Buffer<float> draft(random_rows(rows * drafts, d)), target(random_rows(rows * (drafts + 1), d));
  Buffer<int32_t> proposed({1, 2, 3, 4, 5, 6}), tokens(rows * (drafts + 1)), accepted(rows), emitted(rows);
  CHECK((ChainSpeculativeSampling<float, int32_t>(draft, proposed, target, tokens, accepted, emitted, rows, drafts, d,
                                                  true, nullptr, 7, nullptr, 0)));
  CHECK(cudaDeviceSynchronize());

  bool right = true;
  for (int32_t id : ids.host()) right &= id >= 0 && id < int32_t(d);
  return finish("sampling", right);
}
