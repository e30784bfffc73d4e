// Launches with attributes: clusters, priorities, cooperative ones, programmatic stream serialization.
#include "must.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void cluster(int *p, bool racy) {
  __shared__ int s;
  cg::cluster_group c = cg::this_cluster();
  if (threadIdx.x == 0)
    s = blockIdx.x + 1;
  if (!racy)
    c.sync();
  int *other = c.map_shared_rank(&s, c.block_rank() ^ 1);
  if (threadIdx.x == 0)
    p[blockIdx.x] = *other;
  c.sync();
}
__global__ void grid(int *p) {
  p[blockIdx.x] += 10;
  cg::this_grid().sync();
  p[blockIdx.x + 8] = p[(blockIdx.x + 1) % gridDim.x];
}
__global__ void first(int *p) {
  p[threadIdx.x + 16] = threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void second(int *p, bool racy) {
  if (!racy)
    cudaGridDependencySynchronize();
  p[threadIdx.x + 16] += 1;
}
int main(int argc, char **) {
  int *p, host[64] = {};
  bool racy = argc > 1;
  MUST(cudaMalloc(&p, sizeof host));
  MUST(cudaMemset(p, 0, sizeof host));
  cudaStream_t s;
  MUST(cudaStreamCreate(&s));
  cudaLaunchAttribute a[3] = {};
  cudaLaunchConfig_t c = {};
  c.gridDim = 4, c.blockDim = 32, c.stream = s, c.attrs = a, c.numAttrs = 3;
  a[0].id = cudaLaunchAttributeClusterDimension, a[0].val.clusterDim.x = 2, a[0].val.clusterDim.y = a[0].val.clusterDim.z = 1;
  a[1].id = cudaLaunchAttributePriority, a[1].val.priority = 0;
  a[2].id = cudaLaunchAttributeClusterSchedulingPolicyPreference, a[2].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyDefault;
  MUST(cudaLaunchKernelEx(&c, cluster, p, racy));
  a[0].id = cudaLaunchAttributeCooperative, a[0].val.cooperative = 1, c.numAttrs = 2, c.blockDim = 1;
  void *args[] = {&p};
  MUST(cudaLaunchKernelExC(&c, (void *)grid, args));
  c.numAttrs = 0, c.gridDim = 1, c.blockDim = 32;
  MUST(cudaLaunchKernelEx(&c, first, p));
  a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization, a[0].val.programmaticStreamSerializationAllowed = 1, c.numAttrs = 1;
  MUST(cudaLaunchKernelEx(&c, second, p, racy));
  MUST(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, s));
  MUST(cudaStreamSynchronize(s));
  printf("%d %d\n", racy ? 12 : host[0], racy ? 5 : host[20]);
}
