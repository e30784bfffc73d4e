// What a compiler makes of calls, recursion, tables, switches, strings, structures by
// value, vectors, shared memory and function pointers.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#include "__clang_cuda_builtin_vars.h"

struct alignas(16) Quad { float x, y, z, w; };
struct Block { int values[5]; double scale; };

__constant__ int table[4] = {1, 2, 3, -4};
__device__ float gain = 1.5f;
__device__ double limits[2] = {0.25, -1e300};
__device__ const char *names[] = {"abc", "d\n"};
__device__ int *into_table = &table[2] - 1;
extern __shared__ float dynamic[];

__device__ __attribute__((noinline)) float weigh(Block b, const int *p, float x) {
  for (int i = 0; i < 5; i++) x += b.values[i] * p[i];
  return x + (float)b.scale;
}
typedef float (*Weigher)(Block, const int *, float);
__device__ Weigher weigher = weigh;

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <int N> __device__ inline float sum(const float *p) {
  float s = 0;
#pragma unroll 1
  for (int i = 0; i < N; i++) s += p[i];
  return s;
}

__global__ void features(int *ints, float *floats, Block b, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  tile[t & 63] = floats[t];
  __nvvm_bar_sync(0);
  if (t < n) {
    floats[t] = weigh(b, ints, tile[63 - t]) + weigher(b, ints, gain);
    ints[t] = fibonacci(n);
  }
  dynamic[t] = (float)limits[t & 1] + sum<9>(floats);
  switch (n) {
  case 0: ints[0] = 1; break;
  case 1: ints[1] = 5; break;
  case 2: ints[3] = 7; break;
  case 3: ints[2] = 9; break;
  case 9: ints[8] = 77; break;
  }
  Quad q = *(Quad *)&floats[4 * t];
  q.x += q.y;
  *(Quad *)&floats[4 * t] = q;
  if (names[n][0] == 'a') __builtin_trap();
}
