// Two kernels without griddepcontrol, of which the second may overlap the first:
//
//     dependents racy|right
#include <cstdio>
#include <cstring>

__global__ void put(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void get(const int *p, int *sum) { sum[threadIdx.x] = p[threadIdx.x]; }

int main(int argc, char **argv) {
  int *p, *sum;
  cudaMalloc(&p, 256);
  cudaMalloc(&sum, 256);
  put<<<1, 64>>>(p);
  cudaLaunchAttribute overlaps = {};
  overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  overlaps.val.programmaticStreamSerializationAllowed = argc > 1 && std::strcmp(argv[1], "racy") == 0;
  cudaLaunchConfig_t c = {};
  c.gridDim = 1, c.blockDim = 64, c.attrs = &overlaps, c.numAttrs = 1;
  cudaLaunchKernelEx(&c, get, (const int *)p, sum);
  std::puts(cudaDeviceSynchronize() == cudaSuccess ? "done" : "error");
}
