// SiLU and multiply, with programmatic dependent launch behind a kernel that writes its input.
#include <flashinfer/activation.cuh>

#include <cmath>

#include "../driver.cuh"

__device__ float silu(const float& x) { return x / (1.0f + __expf(-x)); }

int main() {
  constexpr int rows = 2, d = 9216, threads = 1024;
  Buffer<half> input(random_values<half>(rows * 2 * d)), output(rows * d), second(rows * d / 2);
  auto kernel = flashinfer::activation::act_and_mul_kernel<half, silu>;
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = rows;
  config.blockDim = threads;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, kernel, output.data, (const half*)input.data, d));
  CHECK(cudaLaunchKernelEx(&config, kernel, second.data, (const half*)output.data, d / 2));
  CHECK(cudaDeviceSynchronize());

  auto x = input.host(), y = output.host();
  bool right = true;
  for (int i = 0; i < d; i++) {
    float a = x[i], b = x[d + i];
    right &= fabsf(a / (1 + expf(-a)) * b - float(y[i])) < 0.01f;
  }
  return finish("activation", right);
}
