// The part of the CUDA runtime's interface that host code of examples and tests uses,
// under CUDA's own names, so that clang compiles it to PTX without the CUDA toolkit.
// Nothing is implemented: the code is never linked.
#pragma once

// The constructor of dim3 is not inlined, so that the IR shows which extents were given.
#ifndef __CUDA_ARCH__
#define PTXSAN_DIM3 __attribute__((host, device, noinline, optnone))
#endif
#include "cuda_builtins.h"

typedef enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 } cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaFree(void *p);
cudaError_t cudaFreeHost(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemset(void *p, int value, size_t n);
cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaGetLastError();
cudaError_t cudaSetDevice(int device);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
const char *cudaGetErrorString(cudaError_t error);
}
template <class T> cudaError_t cudaMalloc(T **p, size_t n);
template <class T> cudaError_t cudaMallocHost(T **p, size_t n, unsigned flags = 0);
template <class T> cudaError_t cudaMallocManaged(T **p, size_t n, unsigned flags = 1);
template <class T> cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width, size_t height);
template <class T> cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t stream);
template <class T> cudaError_t cudaMemcpyToSymbol(const T &to, const void *from, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
