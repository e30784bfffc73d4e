// Kernels for the benchmarks. To make bench.ptx, in this folder:
//   clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx75 -nocudainc -nocudalib \
//     -I../../passes/device/include -fdebug-compilation-dir=. -S -O2 -gline-directives-only bench.cu -o bench.ptx
#include "cuda_builtins.h"

extern "C" __global__ void saxpy(unsigned n, float a, const float *x, float *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

extern "C" __global__ void tiled(const float *a, const float *b, float *c, unsigned n) {
  __shared__ float sa[16][16], sb[16][16];
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  unsigned row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (unsigned t = 0; t < n; t += 16) {
    sa[ty][tx] = a[row * n + t + tx];
    sb[ty][tx] = b[(t + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; k++) sum += sa[ty][k] * sb[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

extern "C" __global__ void collatz(unsigned n, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned steps = 0;
  for (unsigned v = i + 1; v != 1; steps++) v = v & 1 ? 3 * v + 1 : v / 2;
  out[i] = steps;
}

extern "C" __global__ void histogram(unsigned n, const unsigned *in, unsigned *bins) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) __nvvm_atom_add_gen_i((int *)&bins[in[i] & 255], 1);
}

// A call per access, as instrumented code does.
static __device__ __attribute__((noinline)) void record(unsigned long *log, unsigned long addr, unsigned site, unsigned size) {
  log[site & 15] = addr + size;
}

extern "C" __global__ void hooked(unsigned n, const unsigned *in, unsigned *out, unsigned long *log) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  record(log, (unsigned long)&in[i], 1, 4);
  unsigned v = in[i];
  record(log, (unsigned long)&out[i], 2, 4);
  out[i] = v;
}
