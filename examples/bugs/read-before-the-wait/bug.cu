// The consumer waits for the copies of one operand, and reads the operand that other threads store before that wait.
#include "../../suite/micro/micro.h"

__shared__ unsigned a[32], b[32];
__shared__ unsigned full;

__global__ void specialised(const unsigned *in, unsigned *out) {
  unsigned lane = LANE;
  if (threadIdx.x == 0)
    full = 0;
  __syncthreads();
  if (threadIdx.x < 32) {  // producer
    b[lane] = in[lane];  // A
    a[lane] = in[32 + lane];
    __threadfence_block();
    atomicAdd_block(&full, 1u);
  } else {  // consumer
#ifdef FIXED
    wait_flag_block(&full, 32u);
    __threadfence_block();
    unsigned x = b[lane];
#else
    unsigned x = b[lane];  // B
    wait_flag_block(&full, 32u);
    __threadfence_block();
#endif
    out[lane] = x * a[lane];
  }
}
