// What the applications share: the check of every call of the runtime.
#pragma once

#include <cstdio>
#include <cstdlib>

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t error = (call);                                                  \
    if (error != cudaSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(2);                                                              \
    }                                                                            \
  } while (0)
