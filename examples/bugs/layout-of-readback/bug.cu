// A store and the load that reads the buffer back are given different layouts: a thread reads what another one stored.
#include "../../suite/micro/micro.h"

__global__ void roundtrip(float *scratch, const float *in, float *out) {
  unsigned t = threadIdx.x;
  ((float4 *)scratch)[t] = ((const float4 *)in)[t];  // A
#ifdef FIXED
  __syncthreads();
#endif
  for (unsigned i = 0; i < 4; i++)
    out[i * blockDim.x + t] = scratch[i * blockDim.x + t];  // B
}
