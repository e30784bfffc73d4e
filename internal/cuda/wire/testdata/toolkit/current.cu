// Names whose meaning CUDA 13 has changed, C++20, memory pools and batches of copies.
#include "must.h"
#include <concepts>
template <std::integral T> __global__ void add(T *p, T v) { p[threadIdx.x] = p[threadIdx.x] + v; }
__global__ void shift(int *p, bool racy) {
  int v = p[(threadIdx.x + 1) % 32];
  if (!racy)
    __syncwarp();
  p[threadIdx.x] = v;
}
int main(int argc, char **) {
  cudaDeviceProp prop;
  MUST(cudaGetDeviceProperties(&prop, 0));
  int *m, *q, *r, host[64];
  MUST(cudaMallocManaged(&m, 128));
  for (int i = 0; i < 32; i++)
    m[i] = i;
  cudaMemLocation l = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
#if CUDART_VERSION >= 13000
  MUST(cudaMemAdvise(m, 128, cudaMemAdviseSetReadMostly, l));
  MUST(cudaMemPrefetchAsync(m, 128, l, 0, 0));
  MUST(cudaMemGetDefaultMemPool(&pool, &l, cudaMemAllocationTypePinned));
#else
  MUST(cudaMemAdvise_v2(m, 128, cudaMemAdviseSetReadMostly, l));
  MUST(cudaMemPrefetchAsync_v2(m, 128, l, 0, 0));
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
#endif
  cudaStream_t s;
  MUST(cudaStreamCreate(&s));
  add<int><<<1, 32, 0, s>>>(m, 1);
  shift<<<1, 32, 0, s>>>(m, argc > 1);
  MUST(cudaMallocAsync(&q, 128, s));
  MUST(cudaMallocFromPoolAsync(&r, 128, pool, s));
  void *to[] = {q, r};
  size_t sizes[] = {128, 128};
#if CUDART_VERSION >= 13000
  const void *from[] = {m, m};
  cudaMemcpyAttributes how = {};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t index = 0;
  MUST(cudaMemcpyBatchAsync(to, from, sizes, 2, &how, &index, 1, s));
#else
  for (int i = 0; i < 2; i++)
    MUST(cudaMemcpyAsync(to[i], m, sizes[i], cudaMemcpyDefault, s));
#endif
  MUST(cudaMemcpyAsync(host, q, 128, cudaMemcpyDeviceToHost, s));
  MUST(cudaMemcpyAsync(host + 32, r, 128, cudaMemcpyDeviceToHost, s));
  MUST(cudaFreeAsync(q, s));
  MUST(cudaFreeAsync(r, s));
  MUST(cudaStreamSynchronize(s));
  printf("%d %d %d\n", argc > 1 ? 2 : host[0], argc > 1 ? 10 : host[40], prop.warpSize);
}
