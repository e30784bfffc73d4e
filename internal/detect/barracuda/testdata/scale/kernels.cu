// Kernels of a million threads, for docs/performance.md and TestMillionThreads.
// Compiled as examples/build.sh compiles examples.
#include "cuda_builtins.h"
extern "C" __global__ void vadd(const float *a, const float *b, float *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
extern "C" __global__ void stencil(const float *in, float *out, unsigned n) {
  __shared__ float t[258];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + 1;
  t[l] = in[i];
  if (threadIdx.x == 0) t[0] = i > 0 ? in[i - 1] : 0;
  if (threadIdx.x == blockDim.x - 1) t[l + 1] = i + 1 < n ? in[i + 1] : 0;
  __syncthreads();
  out[i] = (t[l - 1] + t[l] + t[l + 1]) / 3;
}
__device__ unsigned done;
extern "C" __global__ void reduce(const unsigned *in, volatile unsigned *part, unsigned *out, unsigned n) {
  __shared__ unsigned t[256];
  __shared__ bool last;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = in[i];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) t[threadIdx.x] += t[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = t[0];
    __threadfence();
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned s = 0;
    for (unsigned b = 0; b < gridDim.x; b++) s += part[b];
    *out = s;
  }
}
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, unsigned n) {
  __shared__ unsigned h[64];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64) h[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&h[in[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
