// Atomics of several scopes and orders, fences, barriers, warp operations, and a spin
// lock: the instructions that detectors look at.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#include "__clang_cuda_builtin_vars.h"

__device__ int lock;
__device__ volatile int flag;

__device__ inline unsigned warp_sum(unsigned v) {
  for (int d = 16; d > 0; d /= 2) v += __nvvm_shfl_sync_bfly_i32(0xffffffff, v, d, 31);
  return v;
}

__global__ void synchronisation(unsigned *data, unsigned *out, unsigned long long *wide) {
  __shared__ unsigned counts[32];
  unsigned t = threadIdx.x;
  counts[t % 32] = 0;
  __nvvm_bar_sync(0);
  __nvvm_atom_add_gen_i((int *)&counts[data[t] % 32], 1);
  __nvvm_bar_sync(0);
  while (__nvvm_atom_cas_gen_i(&lock, 0, 1)) {}
  __nvvm_membar_gl();
  out[0] += counts[t % 32];
  __nvvm_membar_gl();
  __nvvm_atom_xchg_gen_i(&lock, 0);
  if (warp_sum(t) == 496) flag = 1;
  while (!flag) {}
  __nvvm_membar_sys();
  __nvvm_atom_max_gen_ull(wide, t);
  __nvvm_membar_cta();
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\t@p red.release.gpu.global.add.u32 [%0], 1;\n\t}" ::"l"(out + 1), "r"(t) : "memory");
  if (__nvvm_vote_any_sync(0xffffffff, t == 3)) out[t] = __nvvm_vote_ballot_sync(0xffffffff, t & 1);
}
