// target: sm_90
// A barrier of the block where one of the cluster is needed.
#include "../micro.h"

PTXSAN_BUILTIN unsigned rank() {
  unsigned r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
// The address of p in the shared memory of another block of the cluster.
PTXSAN_BUILTIN unsigned at(const void *p, unsigned block) {
  unsigned a;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(SMEM(p)), "r"(block));
  return a;
}
PTXSAN_BUILTIN void store(unsigned a, unsigned v) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory");
}
PTXSAN_BUILTIN unsigned load(unsigned a) {
  unsigned v;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(a) : "memory");
  return v;
}
PTXSAN_BUILTIN void arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
PTXSAN_BUILTIN void wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }

__shared__ unsigned word;

__global__ void run(unsigned *data, unsigned *out) {
  arrive();
  wait();
  if (threadIdx.x == 0)
    store(at(&word, 1 - rank()), rank() + 7);  // A
#ifdef FIXED
  arrive();
  wait();
#else
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    out[blockIdx.x] = word;  // B
  arrive();
  wait();
}
