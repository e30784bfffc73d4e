// What host code does between input and launches, for the reader of LLVM IR: calls in several
// functions, templates, members, references, loops of all kinds, switches, early exits.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdlib.h>

struct Size {
  int rows, cols;
  long stride;
  float *data;
};

__global__ void simple(int *p, int n) { p[threadIdx.x] = n; }
__global__ void sized(Size s) { s.data[threadIdx.x] = s.rows; }
template <int B, class T> __global__ void typed(T *p, int n) { p[threadIdx.x % B] = n; }

extern void unknown(int &n);
static int limit = 7;
static const int tile = 32;

// Two callers, with different arguments.
static void twice(int *p, int n) {
  if (n < 3)
    return;
  simple<<<(n + tile - 1) / tile, tile>>>(p, n);
}

template <int B> void instance(int *p, int n) { typed<B><<<n, B, B * sizeof(int)>>>(p, n); }

class Runner {
public:
  explicit Runner(int n) : count(n) { cudaMalloc(&memory, count * sizeof(int)); }
  void run() { simple<<<count, 64>>>(memory, count); }

private:
  int count;
  int *memory;
};

static void get(int &a, int *b) {
  a = 5;
  *b = 6;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  if (n <= 0 || n % 4)
    exit(1);
  assert(n < 1000 && n != 8);
  int *p, *q;
  cudaMalloc((void **)&p, n * sizeof(int));
  cudaMalloc(&q, 64);
  cudaMemset(q, 0, 64);
  simple<<<1, 1>>>(q, 0);                  // q holds zeros
  simple<<<2, 1>>>(q + 2, atoi(argv[1]));  // it does not any more; the same input
  twice(p, n);
  twice(q, 2 * n);
  instance<128>(p, n);
  instance<16>(p, n + 1);
  Runner(n).run();
  for (int i = 2; i < n; i += 4) // a counter
    for (int j = n; j > i; j--)
      simple<<<i, j>>>(p, j - i);
  for (int s = 512; s > 0; s >>= 1) // halves
    simple<<<1, s>>>(p, s);
  int rest = n;
  while (rest > 1) { // no counter
    rest = rand() % rest;
    simple<<<1, 32>>>(p, rest);
  }
  int a, b;
  get(a, &b);
  simple<<<a, b>>>(p, n > 5 ? 1 : 2);
  unknown(a);
  simple<<<a, b>>>(p, limit);
  switch (n) {
  case 32:
    simple<<<1, 33>>>(p, n);
    break;
  case 64:
    simple<<<1, n>>>(p, 1);
    break;
  default:
    simple<<<2, n>>>(p, 2);
  }
  Size s = {n, 2 * n, n, 0};
  cudaMalloc(&s.data, s.rows * s.stride * sizeof(float));
  sized<<<dim3(s.rows / 16, s.cols / 8), dim3(16, 8)>>>(s);
  unsigned u = atoi(argv[2]);
  simple<<<(u + 255u) / 256u, 256>>>(p, u);
  float *pitched;
  size_t pitch;
  cudaMallocPitch(&pitched, &pitch, n * sizeof(float), 9);
  simple<<<1, 2>>>((int *)pitched, pitch / sizeof(float));
}
