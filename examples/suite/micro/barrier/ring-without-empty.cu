// A producer warp fills a buffer twice for a consumer warp, with a named barrier each time
// to say that it is full. Without one for empty the second filling overwrites what the
// consumer reads.
#include "../micro.h"

#define ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(n) : "memory")
#define SYNC(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(n) : "memory")

__shared__ unsigned tile[32];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x;
  for (unsigned round = 0; round < 2; round++) {
    if (t < 32) {
#ifdef FIXED
      SYNC(3 + round, 64);
#endif
      tile[t] = round * 100 + t;  // A
      ARRIVE(1 + round, 64);
    } else {
#ifdef FIXED
      ARRIVE(3 + round, 64);
#endif
      SYNC(1 + round, 64);
      out[round * 32 + t - 32] = tile[63 - t];  // B
    }
  }
}
