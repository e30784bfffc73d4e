// target: sm_80
// One warp of a block stores a matrix of numbers in shared memory, the other one loads it by wmma.
#include "../micro.h"

__shared__ __align__(32) float tile[256];

__global__ void run(float *data, float *out) {
  unsigned t = threadIdx.x;
  if (t < 32)
    for (unsigned i = t; i < 256; i += 32) tile[i] = data[i];  // A
#ifdef FIXED
  __syncthreads();
#endif
  if (t >= 32)
    asm volatile("{ .reg .f32 f<8>;\n"  // B
                 "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {f0, f1, f2, f3, f4, f5, f6, f7}, [%0];\n"
                 "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%1], {f0, f1, f2, f3, f4, f5, f6, f7}; }"
                 ::"r"(SMEM(tile)), "l"(out) : "memory");
}
