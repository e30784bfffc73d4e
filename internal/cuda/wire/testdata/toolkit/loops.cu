// A graph with conditional nodes: a loop whose kernel ends it, and a choice by what the loop has made.
#include "must.h"
__global__ void count(cudaGraphConditionalHandle h, int *p) {
  p[1] += p[0];
  if (--p[0] == 0)
    cudaGraphSetConditional(h, 0);
}
__global__ void choose(cudaGraphConditionalHandle h, int *p) { cudaGraphSetConditional(h, p[1] == 15); }
__global__ void put(int *p, bool racy) {
  if (racy || threadIdx.x == 0)
    p[2] = 7 + threadIdx.x;
}
static cudaGraphNode_t conditional(cudaGraph_t g, cudaGraphNode_t after, cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type, cudaGraph_t *body) {
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = h, p.conditional.type = type, p.conditional.size = 1;
  cudaGraphNode_t n;
#if CUDART_VERSION >= 13000
  MUST(cudaGraphAddNode(&n, g, &after, NULL, after != NULL, &p));
#else
  MUST(cudaGraphAddNode(&n, g, &after, after != NULL, &p));
#endif
  *body = p.conditional.phGraph_out[0];
  return n;
}
static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, void *f, int threads, void **args) {
  cudaKernelNodeParams k = {};
  k.func = f, k.gridDim = dim3(1), k.blockDim = dim3(threads), k.kernelParams = args;
  cudaGraphNode_t n;
  MUST(cudaGraphAddKernelNode(&n, g, &after, after != NULL, &k));
  return n;
}
int main(int argc, char **) {
  int *p, host[3] = {5};
  bool racy = argc > 1;
  MUST(cudaMalloc(&p, sizeof host));
  MUST(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  cudaGraph_t g, loop, then;
  MUST(cudaGraphCreate(&g, 0));
  cudaGraphConditionalHandle again, which;
  MUST(cudaGraphConditionalHandleCreate(&again, g, 1, cudaGraphCondAssignDefault));
  MUST(cudaGraphConditionalHandleCreate(&which, g, 0, 0));
  cudaGraphNode_t n = conditional(g, NULL, again, cudaGraphCondTypeWhile, &loop);
  void *counts[] = {&again, &p}, *chooses[] = {&which, &p}, *puts[] = {&p, &racy};
  kernel(loop, NULL, (void *)count, 1, counts);
  n = kernel(g, n, (void *)choose, 1, chooses);
  conditional(g, n, which, cudaGraphCondTypeIf, &then);
  kernel(then, NULL, (void *)put, 32, puts);
  cudaGraphExec_t e;
  MUST(cudaGraphInstantiate(&e, g, 0));
  MUST(cudaGraphLaunch(e, 0));
  MUST(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  printf("%d %d %d\n", host[0], host[1], racy ? 7 : host[2]);
}
