// Solves a tridiagonal system by Jacobi's iteration in one cooperative launch: all blocks meet
// between the iterations.
#include "check.h"
#include "grid.h"

#include <cmath>
#include <vector>

enum { N = 512, BLOCK = 128, ITERATIONS = 60 };

// solve iterates x[i] = (b[i] + x[i-1] + x[i+1]) / 4, from one array to the other.
__global__ void solve(const float *b, float *x, float *y, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < iterations; k++) {
    float left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
    y[i] = (b[i] + left + right) / 4;
    gridSync();
    float *other = x;
    x = y, y = other;
  }
}

int main() {
  std::vector<float> b(N), x(N);
  for (int i = 0; i < N; i++) // for which x[i] = 1 is the solution
    b[i] = 4 - (i > 0) - (i < N - 1);
  float *db, *dx, *dy;
  CHECK(cudaMalloc(&db, N * sizeof(float)));
  CHECK(cudaMalloc(&dx, N * sizeof(float)));
  CHECK(cudaMalloc(&dy, N * sizeof(float)));
  CHECK(cudaMemcpy(db, b.data(), N * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dx, 0, N * sizeof(float)));
  int n = N, iterations = ITERATIONS;
  void *args[] = {&db, &dx, &dy, &n, &iterations};
  CHECK(cudaLaunchCooperativeKernel((const void *)solve, dim3(N / BLOCK), dim3(BLOCK), args, 0, 0));
  CHECK(cudaMemcpy(x.data(), dx, N * sizeof(float), cudaMemcpyDeviceToHost));
  for (float *p : {db, dx, dy})
    CHECK(cudaFree(p));
  float worst = 0;
  for (int i = 0; i < N; i++)
    worst = std::fmax(worst, std::fabs(x[i] - 1));
  std::printf("solver of %d unknowns: %s\n", (int)N, worst < 1e-5f ? "right" : "wrong");
  return worst >= 1e-5f;
}
