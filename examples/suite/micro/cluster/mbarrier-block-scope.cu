// target: sm_90
// A block stores into the shared memory of the other one of its cluster and arrives at a
// mbarrier there, which the other one waits for. Without a scope, arrivals and waits have that of the block.
#include "../async.h"

PTXSAN_BUILTIN void store(unsigned a, unsigned v) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(a), "r"(v) : "memory");
}
PTXSAN_BUILTIN void arrive_there(unsigned b) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
}
PTXSAN_BUILTIN void arrive_there_cluster(unsigned b) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(b) : "memory");
}

MBARRIER ready;
__shared__ unsigned word;

__global__ void run(unsigned *out) {
  if (threadIdx.x == 0)
    init(&ready, 1);
  cluster_sync();
  if (threadIdx.x == 0) {
    unsigned other = 1 - cluster_rank();
    store(in_block(&word, other), blockIdx.x + 7);  // A
#ifdef FIXED
    arrive_there_cluster(in_block(&ready, other));
    while (!done_cluster(&ready, 0))
      ;
#else
    arrive_there(in_block(&ready, other));
    while (!done(&ready, 0))
      ;
#endif
    out[blockIdx.x] = word;  // B
  }
  cluster_sync();
}
