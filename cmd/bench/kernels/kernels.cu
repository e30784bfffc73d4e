// The kernels that the emulator is measured with. build.sh makes kernels.ptx of
// them. native.c has the same loops for one core of the machine itself, and
// workload_*.go says with what they run and what must come out.
#include "cuda_builtins.h"

#define KERNEL extern "C" __global__ void

static __device__ unsigned globalIndex() { return blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL saxpy(unsigned n, float a, const float *x, float *y) {
  unsigned i = globalIndex();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

KERNEL vadd(unsigned n, const float *x, const float *y, float *z) {
  unsigned i = globalIndex();
  if (i < n)
    z[i] = x[i] + y[i];
}

KERNEL matmul(unsigned n, const float *a, const float *b, float *c) {
  unsigned row = blockIdx.y * blockDim.y + threadIdx.y, col = globalIndex();
  float sum = 0;
#pragma unroll 4
  for (unsigned k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

KERNEL tiled(unsigned n, const float *a, const float *b, float *c) {
  __shared__ float sa[16][16], sb[16][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  unsigned row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (unsigned t = 0; t < n; t += 16) {
    sa[y][x] = a[row * n + t + x];
    sb[y][x] = b[(t + y) * n + col];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 16; k++)
      sum += sa[y][k] * sb[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// Sums of blocks of 256 numbers, as a tree in shared memory.
KERNEL reduce(const unsigned *in, unsigned *sums) {
  __shared__ unsigned part[256];
  unsigned i = threadIdx.x;
  part[i] = in[globalIndex()];
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (i < half)
      part[i] += part[i + half];
    __syncthreads();
  }
  if (i == 0)
    sums[blockIdx.x] = part[0];
}

// One step of a five-point stencil on n*n numbers; the edge stays as it is.
KERNEL stencil(unsigned n, const float *in, float *out) {
  unsigned x = globalIndex(), y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;
  float v = in[i];
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    v = 0.5f * v + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = v;
}

KERNEL histogram_global(unsigned n, const unsigned *in, unsigned *bins) {
  unsigned i = globalIndex();
  if (i < n)
    atomicAdd(&bins[in[i] & 255], 1u);
}

// Each block counts 4096 numbers in bins of its own first.
KERNEL histogram_shared(unsigned n, const unsigned *in, unsigned *bins) {
  __shared__ unsigned own[256];
  unsigned t = threadIdx.x, first = blockIdx.x * 4096 + t;
  own[t] = 0;
  __syncthreads();
  for (unsigned i = first; i < first + 4096 && i < n; i += 256)
    atomicAdd(&own[in[i] & 255], 1u);
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}

KERNEL collatz(unsigned n, unsigned *steps) {
  unsigned i = globalIndex(), count = 0;
  if (i >= n)
    return;
  for (unsigned v = i + 1; v != 1; count++)
    v = v & 1 ? 3 * v + 1 : v / 2;
  steps[i] = count;
}

// Every thread adds to the counter under one lock, also those of one warp.
KERNEL spin_lock(unsigned *lock, unsigned *counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0u, 1u) == 0) {
      __threadfence();
      *(volatile unsigned *)counter += 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

// y = A x with A in compressed rows, a thread for each row.
KERNEL spmv(unsigned rows, const unsigned *start, const unsigned *column, const float *value, const float *x, float *y) {
  unsigned row = globalIndex();
  if (row >= rows)
    return;
  float sum = 0;
  for (unsigned k = start[row]; k < start[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}

// One level of a breadth-first search; every vertex has four edges.
KERNEL bfs_level(unsigned n, unsigned depth, const unsigned *edge, unsigned *level, unsigned *here, unsigned *there, unsigned *found) {
  unsigned v = globalIndex();
  if (v >= n || !here[v])
    return;
  here[v] = 0;
  for (unsigned k = 0; k < 4; k++) {
    unsigned w = edge[4 * v + k];
    if (atomicCAS(&level[w], ~0u, depth) == ~0u) {
      there[w] = 1;
      atomicOr(found, 1u);
    }
  }
}

KERNEL mandelbrot(unsigned n, unsigned limit, unsigned *count) {
#pragma clang fp contract(off)
  unsigned px = globalIndex(), py = blockIdx.y * blockDim.y + threadIdx.y;
  float cx = (float)px * (3.0f / (float)n) - 2.25f, cy = (float)py * (3.0f / (float)n) - 1.5f;
  float x = 0, y = 0;
  unsigned k = 0;
  for (; k < limit && x * x + y * y < 4.0f; k++) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
  }
  count[py * n + px] = k;
}

// One step of a bitonic sort: runs of 2*span, compared at a distance.
KERNEL bitonic_step(unsigned *data, unsigned span, unsigned distance) {
  unsigned i = globalIndex(), other = i ^ distance;
  if (other < i)
    return;
  unsigned a = data[i], b = data[other];
  if ((a > b) == ((i & span) == 0)) {
    data[i] = b;
    data[other] = a;
  }
}

// 48 numbers in registers at a time, so that each thread needs more than 64 of them.
KERNEL registers(unsigned rounds, unsigned *out) {
  unsigned r[48], i = globalIndex();
#pragma unroll
  for (unsigned k = 0; k < 48; k++)
    r[k] = i * (2 * k + 1) + k;
  for (unsigned round = 0; round < rounds; round++) {
#pragma unroll
    for (unsigned k = 0; k < 48; k++)
      r[k] = r[k] * 3 + r[(k + 7) % 48];
  }
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 48; k++)
    sum ^= r[k];
  out[i] = sum;
}
