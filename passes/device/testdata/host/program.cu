// A program that includes headers of the C and C++ libraries: the names of ours must not collide with theirs, for the
// device and for the host.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <map>
#include <math.h>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

constexpr int twice(int v) { return 2 * v; }

__global__ void kernel(float *f, double *d, int *n, dim3 extent) {
  assert(n[0] > 0);
  f[0] = sqrtf(f[1]) + floorf(f[2]) + fmaf(f[3], f[4], f[5]) + sqrt(f[6]) + std::sqrt(f[7]) + std::fabs(f[8]) + fabs(f[9]);
  d[0] = sqrt(d[1]) + floor(d[2]) + fma(d[3], d[4], d[5]) + std::floor(d[6]) + fmin(d[7], d[8]) + copysign(d[9], d[10]);
  n[0] = isnan(f[0]) + isinf(d[0]) + isfinite(f[1]) + signbit(d[1]) + abs(n[1]) + std::abs(n[2]) + std::isnan(f[1]);
  n[1] = min(n[2], n[3]) + labs(n[6]) + twice(n[7]);
  d[11] = sqrt(n[9]) + std::sqrt(n[10]) + fmax(f[10], 0) + floor(n[11] / 2) + isnan(n[12]) + fma(n[13], f[11], d[12]);
  uint3 u = blockIdx;
  dim3 b = blockDim, c(gridDim), e = threadIdx, g(threadIdx);
  u = blockDim, b = blockIdx;
  n[2] = u.x + b.y + c.z + extent.x + e.x + g.y + __reduce_add_sync(~0u, n[8]);
  void *p = malloc(16);
  memset(p, 0, 16);
  memcpy(n + 4, p, 16);
  free(p);
  clock_t t = clock();
  if (isnan(d[2])) printf("%g %d\n", d[2], (int)t);
}

int main() {
  static_assert(sizeof(double4) == 32 && alignof(double4) == 16, "CUDA's layout in host code");
  float4 v = make_float4(1, 2, 3, 4);
  double4 w = {1, 2, 3, 4};
  dim3 grid(1, 2), block = 32, made = make_uint3(1, 2, 3);
  uint3 u = grid;
  std::vector<int> list{3, 1, twice(2)};
  std::sort(list.begin(), list.end());
  auto shared = std::make_shared<std::string>("x");
  char *p = (char *)malloc(3);
  memset(p, 0, 3);
  memcpy(p, "ab", 2);
  assert(p);
  clock_t t = clock();
  kernel<<<grid, block>>>(nullptr, nullptr, nullptr, made);
  printf("%g %d\n", sqrt(2.0) + sqrtf(2) + std::floor(1.5) + fabs(-1.0) + fmin(1.0, 2.0) + rint(0.5) + std::isnan(0.0) + sqrt(4) + fmax(1.0f, 0), abs(-3));
  free(p);
  return std::max(min(1, 2), (int)std::abs(-1)) + list[0] + (int)(shared->size() + u.x + t + v.x + w.y);
}
