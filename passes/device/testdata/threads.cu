// Threads: indices, votes, matches, shuffles, barriers, time and control.
#include "results.h"

// Shuffles and matches of a type, for the 32 lanes of a warp; in has 3 values for each.
#define WARP(name, ...)                                                                              \
  KERNEL(warp_##name, int)                                                                           \
    __VA_ARGS__ v = in[0], same = in[1], one = 7;                                                    \
    int all;                                                                                         \
    PUT((int)__shfl_sync(~0u, v, 3));                                                                \
    PUT((int)__shfl_sync(~0u, v, 3, 8));                                                             \
    PUT((int)__shfl_up_sync(~0u, v, 2));                                                             \
    PUT((int)__shfl_up_sync(~0u, v, 2, 16));                                                         \
    PUT((int)__shfl_down_sync(~0u, v, 5));                                                           \
    PUT((int)__shfl_down_sync(~0u, v, 5, 8));                                                        \
    PUT((int)__shfl_xor_sync(~0u, v, 9));                                                            \
    PUT((int)__shfl_xor_sync(~0u, v, 9, 8));                                                         \
    PUT(__match_any_sync(~0u, same));                                                                \
    PUT(__match_all_sync(~0u, same, &all));                                                          \
    PUT(all != 0);                                                                                   \
    PUT(__match_all_sync(~0u, one, &all));                                                           \
    PUT(all != 0);                                                                                   \
  }

WARP(int, int)
WARP(unsigned, unsigned)
WARP(long, long)
WARP(ulong, unsigned long)
WARP(longlong, long long)
WARP(ull, ull)
WARP(float, float)
WARP(double, double)

KERNEL(votes, int)
  int odd = in[0] & 1;
  long long start = clock64(), ticks = clock();
  dim3 block = blockDim, first(blockIdx);
  uint3 thread = threadIdx, extent = dim3(3, 4);
  dim3 again = extent;
  __nanosleep(100);
  __syncwarp();
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  PUT(__activemask());
  PUT(__ballot_sync(~0u, odd));
  PUT(__any_sync(~0u, odd));
  PUT(__all_sync(~0u, odd));
  PUT(__all_sync(~0u, odd < 2));
  PUT(__syncthreads_count(odd));
  PUT(__syncthreads_and(odd) != 0);
  PUT(__syncthreads_or(odd) != 0);
  PUT(clock64() >= start);
  PUT(clock() >= ticks);
  PUT(block.x + block.y + block.z + first.x);
  PUT(thread.x + thread.y + thread.z);
  PUT(gridDim.x + warpSize);
  PUT(again.x * 100 + again.y * 10 + again.z);
}

KERNEL(trapped, int)
  if (in[0] < 0) __trap();
  PUT(in[0]);
}

KERNEL(stopped, int)
  if (in[0] < 0) __brkpt();
  PUT(in[0]);
}

KERNEL(asserted, int)
  if (in[0] < 0) __assert_fail("in[0] >= 0", "threads.cu", __LINE__, "asserted");  // as assert of <assert.h> does
  PUT(in[0]);
}
