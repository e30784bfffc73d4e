// A kernel writes as many elements as its own array has, and the result has one: np.array((10,)) is no array of ten.
#include "../../suite/micro/micro.h"

__global__ void copy(float *result, int n) {
  float own[10];
#pragma clang loop unroll(disable)
  for (int i = 0; i < 10; i++)
    own[i] = 2.0f * (float)(i + n);
#ifdef FIXED
  for (int i = 0; i < n; i++)
#else
  for (int i = 0; i < 10; i++)
#endif
    result[i] = own[i];
}
