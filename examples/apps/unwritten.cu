// Memory that nothing has written. The program copies structures with padding and rows with gaps, and uses what it has written.
// Compiled with -DWRONG, it uses and copies more than that; the lines that end in "!" are reported by ptxsan exec --initcheck.
#include "check.h"

#include <algorithm>
#include <cstring>

#ifdef WRONG
enum { LESS = 1 };
#else
enum { LESS = 0 };
#endif
enum { N = 64 };

// There are four bytes of padding at its end, and three before next.
struct Edge {
  double weight;
  char kind;
  int next;
  short hops;
};

__global__ void make(Edge *edges) {
  int i = threadIdx.x;
  edges[i].weight = i;
  edges[i].kind = i & 1;
  edges[i].next = i + 1;
  if (i < N - LESS)
    edges[i].hops = 1;
}

__global__ void move(const Edge *from, Edge *to) {
  int i = threadIdx.x;
  const long long *a = (const long long *)&from[i];
  long long *b = (long long *)&to[i];
  for (int k = 0; k < (int)(sizeof(Edge) / sizeof *a); k++)
    b[k] = a[k]; // !
}

__global__ void hops(const Edge *edges, int *sum) {
  int i = threadIdx.x;
  atomicAdd(sum, edges[i].hops);
}

__global__ void rows(const char *from, char *to, int pitch) {
  int i = threadIdx.x;
  for (int y = 0; y < 4; y++)
    ((int *)(to + y * pitch))[i] = ((const int *)(from + y * pitch))[i];
}

__global__ void same(const int *d, int n, int value, int *all) {
  int i = threadIdx.x;
  if (i < n && d[i] != value) // !
    *all = 0;
}

__global__ void scale(const char *text, int n, float *out) {
  int i = threadIdx.x;
  if (i < n)
    out[i] = text[i] * 0.5f; // !
}

static int structures() {
  Edge *a, *b;
  Edge back[N];
  int *sum, got = 0;
  CHECK(cudaMalloc(&a, sizeof back));
  CHECK(cudaMalloc(&b, sizeof back));
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  make<<<1, N>>>(a);
  move<<<1, N>>>(a, b);
  CHECK(cudaMemcpy(back, b, sizeof back, cudaMemcpyDeviceToHost));
  hops<<<1, N>>>(b, sum);
  CHECK(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
  return got == N && back[5].next == 6 ? 0 : 1;
}

static int pitched() {
  char *a, *b;
  static char host[4 * 104];
  size_t pitch;
  CHECK(cudaMallocPitch(&a, &pitch, 100, 4));
  CHECK(cudaMallocPitch(&b, &pitch, 100, 4));
  CHECK(cudaMemcpy2D(a, pitch, host, 100, 100, 4, cudaMemcpyHostToDevice));
  rows<<<1, 128 - LESS * 104>>>(a, b, (int)pitch);
  CHECK(cudaMemcpy2D(host, 104, b, pitch, 100, 4, cudaMemcpyDeviceToHost)); // !
  CHECK(cudaMemcpy(a, b, 4 * pitch, cudaMemcpyDeviceToDevice)); // !
  return 0;
}

static int managed() {
  int *d, *all;
  char *text;
  float *out;
  CHECK(cudaMallocManaged(&d, 100 * sizeof(int)));
  CHECK(cudaMallocManaged(&all, sizeof(int)));
  CHECK(cudaMallocHost(&text, 16));
  CHECK(cudaMalloc(&out, 16 * sizeof(float)));
  *all = 1;
  std::fill(d, d + 100 - LESS, 2);
  std::memcpy(text, "twelve bytes", 12 - LESS);
  same<<<1, 128>>>(d, 100, 2, all);
  scale<<<1, 32>>>(text, 12, out);
  CHECK(cudaDeviceSynchronize());
  float back[16];
  CHECK(cudaMemcpy(back, out, (12 + LESS) * sizeof(float), cudaMemcpyDeviceToHost)); // !
  return 0;
}

int main() {
  int wrong = structures() + pitched() + managed();
  std::printf("unwritten memory: %s\n", wrong == 0 ? "right" : "wrong");
  return 0;
}
