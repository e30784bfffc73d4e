// target: sm_90a
// A warp group multiplies by a matrix in shared memory and overwrites it: wgmma reads it until
// the group of operations that it belongs to has been waited for.
#include "../async.h"

// D = A * B, where A is 64x16 ones in registers and B is 16x8, described by b.
PTXSAN_BUILTIN void multiply(float *d, unsigned long long b) {
  unsigned ones = 0x3c003c00;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%5, %5, %5, %5}, %4, p, 1, 1, 0; }"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(b), "r"(ones) : "memory");
}
// Rows of eight values, 128 bytes from one half of K to the other.
PTXSAN_BUILTIN unsigned long long describe(const void *m) {
  return (SMEM(m) & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
}
PTXSAN_BUILTIN void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void wait() { asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory"); }

__shared__ __align__(256) unsigned short tile[128];

__global__ void run(float *out) {
  unsigned t = threadIdx.x;
  float d[4] = {0, 0, 0, 0};
  tile[t] = 0x3c00;
  fence_proxy_async();
  __syncthreads();
  begin();
  multiply(d, describe(tile));  // A
  commit();
#ifdef FIXED
  wait();
#endif
  __syncthreads();
  tile[t] = 0;  // B
#ifndef FIXED
  wait();
#endif
  out[t] = d[0] + d[1] + d[2] + d[3];
}
