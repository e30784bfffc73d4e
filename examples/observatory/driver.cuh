// What our drivers of kernels share: buffers of random values, calls that must succeed.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                           \
  do {                                                                                        \
    cudaError_t checked = (call);                                                             \
    if (checked != cudaSuccess) {                                                             \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(checked));\
      exit(1);                                                                                \
    }                                                                                         \
  } while (0)

inline uint32_t random_bits() {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

inline float random_unit() { return (random_bits() % 65536) / 65536.0f; }

// Memory of the device, filled from the host.
template <typename T>
struct Buffer {
  T* data;
  size_t size;

  explicit Buffer(const std::vector<T>& values) : size(values.size()) {
    CHECK(cudaMalloc(&data, size * sizeof(T)));
    CHECK(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  explicit Buffer(size_t n) : size(n) {
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemset(data, 0, n * sizeof(T)));
  }
  ~Buffer() { cudaFree(data); }
  Buffer(const Buffer&) = delete;

  operator T*() { return data; }

  std::vector<T> host() const {
    std::vector<T> values(size);
    CHECK(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
};

// n values between -1 and 1.
template <typename T>
std::vector<T> random_values(size_t n) {
  std::vector<T> values(n);
  for (auto& value : values) value = T(2 * random_unit() - 1);
  return values;
}

// Rows of probabilities that sum to 1.
inline std::vector<float> random_rows(size_t rows, size_t n) {
  std::vector<float> values(rows * n);
  for (size_t row = 0; row < rows; row++) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum += values[row * n + i] = random_unit() + 0.001f;
    for (size_t i = 0; i < n; i++) values[row * n + i] /= sum;
  }
  return values;
}

inline int finish(const char* name, bool right) {
  printf("%s: %s\n", name, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
