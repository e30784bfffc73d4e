// One-dimensional convolution (ScoRD, Table II). A block adds the contributions of its
// share of the input to the output: with atomics of block scope where no other block
// adds, and of device scope at the borders of its share.
#include "../apps.h"

RACES(border)  // block scope at the borders, too

// out has n + taps - 1 elements; a share is at least as long as the filter.
__global__ void convolve(const int *in, const int *filter, int *out, unsigned n, unsigned taps) {
  unsigned share = (n + gridDim.x - 1) / gridDim.x;
  unsigned first = blockIdx.x * share, last = min(first + share, n);
  for (unsigned i = first + threadIdx.x; i < last; i += blockDim.x)
    for (unsigned k = 0; k < taps; k++) {
      unsigned o = i + k;
      if (o >= first + taps - 1 && o < last)
        atomicAdd_block(&out[o], in[i] * filter[k]);
      else
        add(SCOPE(border), &out[o], in[i] * filter[k]);  // A
    }
}
