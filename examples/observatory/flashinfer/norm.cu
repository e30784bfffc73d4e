// RMSNorm in its variants and LayerNorm, two in a row with programmatic dependent launch where they have it.
#include <flashinfer/norm.cuh>

#include <cmath>

#include "../driver.cuh"

int main() {
  constexpr uint32_t rows = 4, d = 1024, heads = 2;
  auto values = random_values<half>(rows * d);
  Buffer<half> input(values), weight(random_values<half>(d)), output(rows * d), residual(random_values<half>(rows * d));
  Buffer<__nv_fp8_e4m3> quantised(rows * d);
  Buffer<float> scale(std::vector<float>(rows, 1.0f)), gamma(random_values<float>(d)), beta(random_values<float>(d));
  using namespace flashinfer::norm;

  CHECK(RMSNorm<half>(input, weight, output, rows, d, d, d, 1e-5f, true));
  CHECK(RMSNorm<half>(output, weight, input, rows, d, d, d, 1e-5f, true));
  CHECK(FusedAddRMSNorm<half>(input, residual, weight, rows, d, d, d, 1e-5f, true));
  CHECK((FusedAddRMSNormQuant<half, __nv_fp8_e4m3>(input, residual, weight, quantised, rows, d, d, d, d, scale, 1e-5f,
                                                   true)));
  CHECK((RMSNormQuant<half, __nv_fp8_e4m3>(input, weight, quantised, rows, d, d, d, scale, 1e-5f, true)));
  CHECK(QKRMSNorm<half>(input, weight, output, rows, heads, d / heads, d, d / heads, d, d / heads, 1e-5f, true));
  CHECK(GemmaRMSNorm<half>(input, weight, output, rows, d, d, d));

  Buffer<__nv_bfloat16> wide(random_values<__nv_bfloat16>(rows * d)), normed(rows * d);
  CHECK((LayerNorm<__nv_bfloat16, float>(wide, gamma, beta, normed, rows, d)));
  CHECK(cudaDeviceSynchronize());

  auto x = wide.host(), y = normed.host();
  auto g = gamma.host(), b = beta.host();
  float mean = 0, variance = 0;
  for (uint32_t i = 0; i < d; i++) mean += float(x[i]) / d;
  for (uint32_t i = 0; i < d; i++) variance += (float(x[i]) - mean) * (float(x[i]) - mean) / d;
  bool right = true;
  for (uint32_t i = 0; i < d; i++)
    right &= fabsf((float(x[i]) - mean) / sqrtf(variance + 1e-5f) * g[i] + b[i] - float(y[i])) < 0.05f;
  return finish("norm", right);
}
