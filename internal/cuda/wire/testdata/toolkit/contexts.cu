// Execution contexts with a part of the device (CUDA 13.1).
#include "must.h"
__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p) { p[threadIdx.x]++; }
int main(int argc, char **) {
  cudaDevResource all, part, rest;
  MUST(cudaDeviceGetDevResource(0, &all, cudaDevResourceTypeSm));
  unsigned n = 1;
  MUST(cudaDevSmResourceSplitByCount(&part, &n, &all, &rest, 0, all.sm.smCount / 2));
  cudaDevResourceDesc_t d;
  MUST(cudaDevResourceGenerateDesc(&d, &part, 1));
  cudaExecutionContext_t c;
  MUST(cudaGreenCtxCreate(&c, d, 0, 0));
  cudaStream_t s, t;
  MUST(cudaExecutionCtxStreamCreate(&s, c, cudaStreamNonBlocking, 0));
  MUST(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  cudaEvent_t e;
  MUST(cudaEventCreate(&e));
  int *p, host[64];
  MUST(cudaMalloc(&p, sizeof host));
  fill<<<1, 64, 0, s>>>(p, 5);
  if (argc == 1) {
    MUST(cudaExecutionCtxRecordEvent(c, e));
    MUST(cudaStreamWaitEvent(t, e, 0));
  }
  add<<<1, 64, 0, t>>>(p);
  MUST(cudaEventRecord(e, t));
  MUST(cudaExecutionCtxWaitEvent(c, e));
  add<<<1, 64, 0, s>>>(p);
  MUST(cudaExecutionCtxSynchronize(c));
  MUST(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d %d\n", n, host[63]);
  MUST(cudaExecutionCtxDestroy(c));
}
