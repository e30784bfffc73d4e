// Memory that the host and the device share: a kernel computes squares into managed memory and
// raises a pinned counter, and the host waits before it reads both. Compiled with -DRACY, the host
// reads the squares before it waits.
#include "check.h"

enum { N = 256 };

__global__ void square(int *squares, int *done) {
  int i = threadIdx.x;
  squares[i] = i * i;
  atomicAdd(done, 1);
}

static int sum(const int *squares) {
  int total = 0;
  for (int i = 0; i < N; i++)
    total += squares[i];
  return total;
}

int main() {
  int *squares, *done;
  CHECK(cudaMallocManaged(&squares, N * sizeof(int)));
  CHECK(cudaMallocHost(&done, sizeof(int)));
  *done = 0;
  square<<<1, N>>>(squares, done);
#ifdef RACY
  int total = sum(squares);
  CHECK(cudaDeviceSynchronize());
#else
  CHECK(cudaDeviceSynchronize());
  int total = sum(squares);
#endif
  int wrong = total != (N - 1) * N * (2 * N - 1) / 6 || *done != N;
  std::printf("squares up to %d: %s\n", (int)N, wrong == 0 ? "right" : "wrong");
  CHECK(cudaFree(squares));
  CHECK(cudaFreeHost(done));
  return wrong;
}
