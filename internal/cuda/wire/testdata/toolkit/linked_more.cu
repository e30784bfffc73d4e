// The other file of linked.cu.
#include "must.h"
__device__ int counter;
__device__ int twice(int x) { return 2 * x; }
__global__ void more() { counter += 100; }
int counted() {
  int host = -1;
  more<<<1, 1>>>();
  MUST(cudaMemcpyFromSymbol(&host, counter, sizeof host));
  return host;
}
