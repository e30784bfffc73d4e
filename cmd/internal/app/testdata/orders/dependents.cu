// Pairs of programs whose kernels may begin before the end of the one before, each with a race and without:
//
//     dependents stream|captured|edge racy|right
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                  \
  do {                                                               \
    if (cudaError_t error = (call)) {                                \
      std::printf("%d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(2);                                                  \
    }                                                                \
  } while (0)

// cudaLaunchConfig_t, and cudaGraphEdgeData of CUDA 12.
struct Attribute {
  int id, pad, allowed, rest[15];
};
struct Config {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  Attribute *attributes;
  unsigned count;
};
struct Edge {
  unsigned char from, to, type, rest[5];
};
extern "C" cudaError_t cudaLaunchKernelExC(const Config *, const void *, void **);
extern "C" cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, const Edge *, size_t);

enum { N = 64, BYTES = N * sizeof(int), SERIALIZATION = 6, PROGRAMMATIC = 1 };

__global__ void put(int *p) {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  p[threadIdx.x] = threadIdx.x;
}

__global__ void getLate(const int *p, int *sum) {
  int v = p[threadIdx.x];
  asm volatile("griddepcontrol.wait;" ::: "memory");
  sum[threadIdx.x] = v;
}

__global__ void get(const int *p, int *sum) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  sum[threadIdx.x] = p[threadIdx.x];
}

static int *p, *sum;
static cudaStream_t s;
static const void *second; // the kernel after put
static void *putArgs[] = {&p}, *getArgs[] = {&p, &sum};

static void stream() {
  Attribute overlaps = {SERIALIZATION, 0, 1};
  Config config = {1, N, 0, s, &overlaps, 1};
  put<<<1, N, 0, s>>>(p);
  CHECK(cudaLaunchKernelExC(&config, second, getArgs));
}

static void launch(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, s));
}

static void captured() {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  stream();
  CHECK(cudaStreamEndCapture(s, &graph));
  launch(graph);
}

static void edge() {
  cudaGraph_t graph;
  cudaGraphNode_t from, to;
  cudaKernelNodeParams first = {}, then = {};
  Edge programmatic = {PROGRAMMATIC, 0, PROGRAMMATIC};
  first.func = (void *)put, first.gridDim = 1, first.blockDim = N, first.kernelParams = putArgs;
  then.func = (void *)second, then.gridDim = 1, then.blockDim = N, then.kernelParams = getArgs;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddKernelNode(&from, graph, nullptr, 0, &first));
  CHECK(cudaGraphAddKernelNode(&to, graph, nullptr, 0, &then));
  CHECK(cudaGraphAddDependencies_v2(graph, &from, &to, &programmatic, 1));
  launch(graph);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  second = std::strcmp(argv[2], "racy") ? (const void *)get : (const void *)getLate;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaMalloc(&p, BYTES));
  CHECK(cudaMalloc(&sum, BYTES));
  if (!std::strcmp(argv[1], "stream"))
    stream();
  else if (!std::strcmp(argv[1], "captured"))
    captured();
  else
    edge();
  CHECK(cudaDeviceSynchronize());
  return 0;
}
