// Numbers that loops make: powers of two, logarithms, steps, and the values of counters behind loops.
#include <algorithm>
#include <cstdlib>

static const int sizes[] = {32, 64, 96, 256};

__global__ void k(int *p, int v, int w) {}

int main(int argc, char **argv) {
  if (argc != 3)
    return 1;
  int n = atoi(argv[1]), t = atoi(argv[2]), *p;
  if (n < 1 || n > 1000 || t < 1)
    return 1;
  cudaMalloc(&p, 4);
  int m = 1;
  while (m < n)
    m *= 2;
  k<<<1, 32>>>(p, m, 0); // the least power of two from n on
  unsigned u = 32;
  while (u < (unsigned)n && u < 256)
    u <<= 2;
  k<<<1, 32>>>(p, u, 1);
  int l = 0, x = n;
  while (x >>= 1)
    l++;
  k<<<1, 32>>>(p, l, 2); // the logarithm
  int s = n / 2;
  for (; s > 3; s /= 2)
    k<<<1, 32>>>(p, s, 3); // all halves above 3
  k<<<1, 32>>>(p, s, 4);
  for (int len = 2, i = 0; len <= n; len *= 2, i += 3)
    k<<<1, 32>>>(p, len, i); // both have changed equally often
  int i = 0;
  for (; i < n; i += t)
    k<<<1, 32>>>(p, i, t); // multiples of t
  k<<<1, 32>>>(p, i, 5);
  int j = n;
  while (j != 7)
    j--;
  k<<<1, 32>>>(p, j, 6);
  do {
    k<<<1, 32>>>(p, t, 7); // the first one may be any
    t -= 2;
  } while (t > 9);
  int a = 1;
  while (a < n) {
    if (a == 5)
      break;
    a += 2;
  }
  k<<<1, 32>>>(p, a, 8); // one of two ends: not followed
  k<<<1, 32>>>(p, 0, 8);
  int r = rand();
  for (int from = r; from < n; from++)
    k<<<1, 32>>>(p, from, r);
  k<<<1, 32>>>(p, std::min(n, 99), std::max(1 + n, t));
  k<<<1, 32>>>(p, sizes[n % 4], sizes[argc]); // elements of a table
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int most, many, fit;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, 0);
  cudaDeviceGetAttribute(&many, cudaDevAttrMultiProcessorCount, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, k, 256, 0);
  k<<<device.warpSize, most>>>(p, device.multiProcessorCount, many * fit); // what devices have
  k<<<1, 32>>>(p, device.clockRate, 0);
  return 0;
}
