// A histogram of one warp without atomics: a lane stores the count that it has read, plus one and with its own number as a tag, and
// tries again until it finds its tag. A lane that is not in lock-step with another one may store an old count over a newer one.
#include "../micro.h"

#define BINS 4

__shared__ volatile unsigned bins[BINS];

__global__ void run(unsigned *data, unsigned *out) {
  unsigned t = threadIdx.x, bin = data[t] % BINS;
  if (t < BINS)
    bins[t] = 0;
  __syncwarp();
#ifdef FIXED
  atomicAdd_block((unsigned *)&bins[bin], 1u);
#else
  unsigned tagged;
  do {
    unsigned count = bins[bin] & 0x07ffffffu;  // A
    tagged = LANE << 27 | (count + 1);
    bins[bin] = tagged;  // B
  } while (bins[bin] != tagged);  // C
#endif
  __syncwarp();
  if (t < BINS)
    out[t] = bins[t] & 0x07ffffffu;
}
