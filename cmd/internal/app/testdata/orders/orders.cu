// Pairs of programs about the order between the host, streams and copies: each with a race, and without.
//
//     orders CASE racy|right
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#define CHECK(call)                                                  \
  do {                                                               \
    if (cudaError_t error = (call)) {                                \
      std::printf("%d: %s\n", __LINE__, cudaGetErrorString(error)); \
      std::exit(2);                                                  \
    }                                                                \
  } while (0)

enum { N = 64, BYTES = N * sizeof(int) };

__constant__ int factors[N];

__global__ void put(int *p, int v) { p[threadIdx.x] = v; }
__global__ void get(const int *p, int *sum) { sum[threadIdx.x] += p[threadIdx.x]; }
__global__ void getCached(const int *p, int *sum) { sum[threadIdx.x] += __ldg(p + threadIdx.x); }
__global__ void scale(int *p) { p[threadIdx.x] *= factors[threadIdx.x]; }

static bool racy;
static cudaStream_t a, b;          // blocking
static cudaStream_t apart, beside; // not
static cudaEvent_t event;
static int *p, *q, *sum; // of the device
static int *pinned, *managed;

static void behind(cudaStream_t later, cudaStream_t earlier) {
  CHECK(cudaEventRecord(event, earlier));
  CHECK(cudaStreamWaitEvent(later, event, 0));
}

// Releases.

static void freeOrdered() {
  int *own;
  CHECK(cudaMallocAsync(&own, BYTES, a));
  put<<<1, N, 0, a>>>(own, 1);
  if (!racy)
    CHECK(cudaStreamSynchronize(a));
  CHECK(cudaFree(own));
}

static void freeInOtherStream() {
  int *own;
  CHECK(cudaMallocAsync(&own, BYTES, a));
  behind(b, a);
  put<<<1, N, 0, a>>>(own, 1);
  if (!racy)
    behind(b, a);
  CHECK(cudaFreeAsync(own, b));
}

static void freePlain() { // which waits for the device; the racy one uses stream-ordered memory in the default stream alone
  int *own;
  CHECK(racy ? cudaMallocAsync(&own, BYTES, 0) : cudaMalloc(&own, BYTES));
  put<<<1, N>>>(own, 1);
  CHECK(cudaFree(own));
}

static void freeOfPool() {
  cudaMemPool_t pool;
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned, props.location.type = cudaMemLocationTypeDevice;
  int *own;
  CHECK(cudaMemPoolCreate(&pool, &props));
  CHECK(cudaMallocFromPoolAsync(&own, BYTES, pool, a));
  put<<<1, N, 0, a>>>(own, 1);
  CHECK(cudaMemPoolDestroy(pool)); // the memory remains, and nothing waits
  if (racy)
    CHECK(cudaFree(own));
  else
    CHECK(cudaFreeAsync(own, a));
}

// Constant and cached reads.

static void constant() {
  scale<<<1, N, 0, a>>>(p);
  if (!racy)
    behind(b, a);
  CHECK(cudaMemcpyToSymbolAsync(factors, pinned, BYTES, 0, cudaMemcpyHostToDevice, b));
}

static void constantAtOnce() { // cudaMemcpyToSymbol is in the default stream, for which the other does not wait
  int host[N] = {};
  CHECK(cudaMemcpyToSymbol(factors, host, BYTES));
  if (!racy)
    CHECK(cudaStreamSynchronize(0));
  scale<<<1, N, 0, apart>>>(p);
}

static void cached() {
  getCached<<<1, N, 0, a>>>(p, sum);
  if (!racy)
    behind(b, a);
  put<<<1, N, 0, b>>>(p, 2);
}

// Copies and fills that the host does not wait for, or does.

static void pageable() {
  int host[N] = {};
  CHECK(cudaMemcpy(p, host, BYTES, cudaMemcpyHostToDevice));
  if (!racy)
    CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  get<<<1, N, 0, apart>>>(p, sum);
}

static void pageableRows() { // the race is with the first rows, for which no later row waits
  int host[4][N] = {}, *wide;
  CHECK(cudaMalloc(&wide, 8 * BYTES));
  CHECK(cudaMemcpy2D(wide, 2 * BYTES, host, BYTES, BYTES, 4, cudaMemcpyHostToDevice));
  if (!racy)
    CHECK(cudaDeviceSynchronize());
  get<<<1, N, 0, apart>>>(wide, sum);
  CHECK(cudaFree(wide));
}

static void withinDevice() {
  CHECK(cudaMemcpy(p, q, BYTES, cudaMemcpyDeviceToDevice));
  if (!racy)
    CHECK(cudaStreamSynchronize(0));
  get<<<1, N, 0, apart>>>(p, sum);
}

static void fromPinned() { // the host waits for a copy of pinned memory, and not for one in a stream
  CHECK(racy ? cudaMemcpyAsync(p, pinned, BYTES, cudaMemcpyHostToDevice, beside) : cudaMemcpy(p, pinned, BYTES, cudaMemcpyHostToDevice));
  get<<<1, N, 0, apart>>>(p, sum);
}

static void toHost() {
  int host[N];
  CHECK(racy ? cudaMemcpyAsync(host, p, BYTES, cudaMemcpyDeviceToHost, beside) : cudaMemcpy(host, p, BYTES, cudaMemcpyDeviceToHost));
  put<<<1, N, 0, apart>>>(p, 3);
}

static void betweenPeers() { // a copy between peers is ordered with all streams
  put<<<1, N, 0, apart>>>(p, 1);
  CHECK(racy ? cudaMemcpy(q, p, BYTES, cudaMemcpyDeviceToDevice) : cudaMemcpyPeer(q, 0, p, 0, BYTES));
  get<<<1, N, 0, beside>>>(q, sum);
}

static void fill() {
  CHECK(cudaMemset(p, 0, BYTES));
  if (!racy)
    CHECK(cudaStreamSynchronize(0));
  get<<<1, N, 0, apart>>>(p, sum);
}

static void fillOfPinned() {
  CHECK(racy ? cudaMemsetAsync(pinned, 0, BYTES, a) : cudaMemset(pinned, 0, BYTES));
  std::printf("%d\n", pinned[5]);
}

static void fillOfManaged() {
  CHECK(racy ? cudaMemsetAsync(managed, 0, BYTES, a) : cudaMemset(managed, 0, BYTES));
  std::printf("%d\n", managed[5]);
}

static void copyToManaged() {
  CHECK(racy ? cudaMemcpyAsync(managed, p, BYTES, cudaMemcpyDefault, a) : cudaMemcpy(managed, p, BYTES, cudaMemcpyDefault));
  std::printf("%d\n", managed[5]);
}

// Default streams.

static void blocking() {
  put<<<1, N, 0, racy ? apart : a>>>(p, 1);
  get<<<1, N, 0, cudaStreamLegacy>>>(p, sum);
}

static void hostWaitsForDefault() { // the default stream includes what blocking streams have had before
  put<<<1, N, 0, racy ? apart : a>>>(managed, 1);
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  std::printf("%d\n", managed[5]);
}

static void ofThread() {
  put<<<1, N, 0, cudaStreamPerThread>>>(p, 1);
  if (!racy)
    behind(a, cudaStreamPerThread);
  get<<<1, N, 0, a>>>(p, sum);
}

static void ofThreadAndLegacy() {
  put<<<1, N, 0, cudaStreamPerThread>>>(p, 1);
  get<<<1, N, 0, racy ? apart : cudaStreamLegacy>>>(p, sum);
}

static void byDefault() { // racy with per-thread default streams only
  put<<<1, N>>>(p, 1);
  if (!racy)
    CHECK(cudaStreamSynchronize(0));
  get<<<1, N, 0, a>>>(p, sum);
}

static void byThreads() { // the same: a thread that ends orders nothing on the device
  std::thread other([] {
    put<<<1, N>>>(p, 1);
    if (!racy)
      CHECK(cudaStreamSynchronize(0));
  });
  other.join();
  get<<<1, N>>>(p, sum);
}

static void copyByDefault() {
  int host[N] = {};
  CHECK(cudaMemcpy(p, host, BYTES, cudaMemcpyHostToDevice));
  if (!racy)
    behind(a, 0);
  get<<<1, N, 0, a>>>(p, sum);
}

// Functions of the host.

static void readPinned(void *data) { *(volatile int *)data += pinned[5]; }
static void readPinnedBack(cudaStream_t, cudaError_t, void *data) { *(volatile int *)data += pinned[5]; }
static void writePinned(void *) { pinned[5] = 7; }
static void notify(void *data) { *(std::atomic<int> *)data = 1; }
static int result;

static void functionReads() {
  CHECK(cudaMemcpyAsync(pinned, p, BYTES, cudaMemcpyDeviceToHost, a));
  if (!racy)
    behind(b, a);
  CHECK(cudaLaunchHostFunc(b, readPinned, &result));
}

static void callbackReads() {
  CHECK(cudaMemcpyAsync(pinned, p, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaStreamAddCallback(racy ? b : a, readPinnedBack, &result, 0));
}

static void functionWrites() {
  CHECK(cudaLaunchHostFunc(a, writePinned, nullptr));
  if (!racy)
    behind(b, a);
  CHECK(cudaMemcpyAsync(p, pinned, BYTES, cudaMemcpyHostToDevice, b));
}

static void functionNotifies() {
  std::atomic<int> done{0};
  put<<<1, N, 0, a>>>(managed, 1);
  CHECK(cudaLaunchHostFunc(a, notify, &done));
  while (!racy && done == 0)
    std::this_thread::yield();
  result += managed[5];
  CHECK(cudaDeviceSynchronize());
}

// Graphs.

static cudaGraphExec_t instance(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

// launch launches a graph twice, in one stream and in another.
static void launch(cudaGraphExec_t exec) {
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaGraphLaunch(exec, apart));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphExecDestroy(exec));
}

static void captured() { // b takes part from the fork on, and comes back at the join
  cudaGraph_t graph;
  cudaEvent_t joined;
  CHECK(cudaEventCreate(&joined));
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  put<<<1, N, 0, a>>>(p, 1);
  behind(b, a);
  put<<<1, N, 0, a>>>(q, 2);
  if (!racy)
    behind(b, a);
  get<<<1, N, 0, b>>>(q, sum);
  CHECK(cudaEventRecord(joined, b));
  CHECK(cudaStreamWaitEvent(a, joined, 0));
  get<<<1, N, 0, a>>>(p, sum);
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaEventDestroy(joined));
  launch(instance(graph));
}

static cudaGraphNode_t kernelNode(cudaGraph_t graph, const cudaGraphNode_t *after, size_t count, void *kernel, void **params) {
  cudaKernelNodeParams k = {kernel, dim3(1), dim3(N), 0, params, nullptr};
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, after, count, &k));
  return node;
}

static void builtOfNodes() { // a fill, then a copy and a kernel beside each other or one after the other
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t zero, copy;
  cudaMemsetParams fills = {p, BYTES, 0, 4, N, 1};
  CHECK(cudaGraphAddMemsetNode(&zero, graph, nullptr, 0, &fills));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &zero, 1, q, p, BYTES, cudaMemcpyDeviceToDevice));
  int v = 4;
  void *params[] = {&p, &v};
  kernelNode(graph, racy ? &zero : &copy, 1, (void *)put, params);
  launch(instance(graph));
}

static void hostNode() {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaHostNodeParams h = {readPinned, &result};
  cudaGraphNode_t host;
  CHECK(cudaGraphAddHostNode(&host, graph, nullptr, 0, &h));
  int v = 5;
  void *params[] = {&pinned, &v};
  kernelNode(graph, &host, !racy, (void *)put, params);
  launch(instance(graph));
}

static void childGraph() { // branches of a graph within a graph, and the node after it
  cudaGraph_t graph, child;
  CHECK(cudaGraphCreate(&child, 0));
  int v = 6;
  void *writes[] = {&p, &v}, *reads[] = {&p, &sum};
  cudaGraphNode_t first = kernelNode(child, nullptr, 0, (void *)put, writes), inner;
  kernelNode(child, &first, !racy, (void *)get, reads);
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddChildGraphNode(&inner, graph, nullptr, 0, child));
  kernelNode(graph, &inner, 1, (void *)put, writes);
  CHECK(cudaGraphDestroy(child));
  launch(instance(graph));
}

static void graphMemory() { // b takes part before the memory is allocated, and uses it
  cudaGraph_t graph;
  int *own;
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
  put<<<1, N, 0, a>>>(p, 1);
  behind(b, a);
  CHECK(cudaMallocAsync(&own, BYTES, a));
  if (!racy)
    behind(b, a);
  put<<<1, N, 0, b>>>(own, 2);
  behind(a, b);
  CHECK(cudaFreeAsync(own, a));
  CHECK(cudaStreamEndCapture(a, &graph));
  launch(instance(graph));
}

static void hostToHost() { // a copy within the host is one of its stream all the same
  int host[N] = {};
  put<<<1, N, 0, a>>>(pinned, 1);
  CHECK(cudaMemcpyAsync(host, pinned, BYTES, cudaMemcpyHostToHost, racy ? b : a));
}

static void twoGraphs() { // launches of one graph follow each other, those of two do not
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  int v = 7;
  void *params[] = {&p, &v};
  kernelNode(graph, nullptr, 0, (void *)put, params);
  cudaGraphExec_t one, other;
  CHECK(cudaGraphInstantiateWithFlags(&one, graph, 0));
  CHECK(cudaGraphInstantiateWithFlags(&other, graph, 0));
  CHECK(cudaGraphLaunch(one, a));
  CHECK(cudaGraphLaunch(racy ? other : one, b));
  CHECK(cudaDeviceSynchronize());
}

// Events that are recorded again.

static void recordedAgain() {
  put<<<1, N, 0, a>>>(p, 1);
  behind(b, a);
  put<<<1, N, 0, a>>>(racy ? q : p, 2); // b has waited for what came before
  CHECK(cudaEventRecord(event, a));
  if (!racy)
    CHECK(cudaStreamWaitEvent(b, event, 0));
  get<<<1, N, 0, b>>>(racy ? q : p, sum);
}

static void waitBeforeRecord() {
  if (racy)
    CHECK(cudaStreamWaitEvent(b, event, 0));
  put<<<1, N, 0, a>>>(p, 1);
  CHECK(cudaEventRecord(event, a));
  if (!racy)
    CHECK(cudaStreamWaitEvent(b, event, 0));
  put<<<1, N, 0, a>>>(q, 2);
  CHECK(cudaEventRecord(event, a)); // no wait refers to it
  get<<<1, N, 0, b>>>(p, sum);
}

static const struct {
  const char *name;
  void (*run)();
} cases[] = {
    {"freeOrdered", freeOrdered}, {"freeInOtherStream", freeInOtherStream}, {"freePlain", freePlain}, {"freeOfPool", freeOfPool},
    {"constant", constant}, {"constantAtOnce", constantAtOnce}, {"cached", cached},
    {"pageable", pageable}, {"pageableRows", pageableRows}, {"withinDevice", withinDevice}, {"fromPinned", fromPinned}, {"toHost", toHost},
    {"betweenPeers", betweenPeers}, {"fill", fill}, {"fillOfPinned", fillOfPinned}, {"fillOfManaged", fillOfManaged}, {"copyToManaged", copyToManaged},
    {"blocking", blocking}, {"hostWaitsForDefault", hostWaitsForDefault}, {"ofThread", ofThread}, {"ofThreadAndLegacy", ofThreadAndLegacy},
    {"byDefault", byDefault}, {"byThreads", byThreads}, {"copyByDefault", copyByDefault},
    {"functionReads", functionReads}, {"callbackReads", callbackReads}, {"functionWrites", functionWrites}, {"functionNotifies", functionNotifies},
    {"captured", captured}, {"builtOfNodes", builtOfNodes}, {"hostNode", hostNode}, {"childGraph", childGraph}, {"graphMemory", graphMemory}, {"hostToHost", hostToHost}, {"twoGraphs", twoGraphs},
    {"recordedAgain", recordedAgain}, {"waitBeforeRecord", waitBeforeRecord},
};

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  racy = !std::strcmp(argv[2], "racy");
  if (std::strcmp(argv[1], "freePlain")) { // which has the default stream alone
    CHECK(cudaStreamCreate(&a));
    CHECK(cudaStreamCreate(&b));
    CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&event));
    CHECK(cudaMallocHost(&pinned, BYTES));
    CHECK(cudaMallocManaged(&managed, BYTES));
  }
  CHECK(cudaMalloc(&p, BYTES));
  CHECK(cudaMalloc(&q, BYTES));
  CHECK(cudaMalloc(&sum, BYTES));
  CHECK(cudaMemset(p, 0, BYTES));
  CHECK(cudaMemset(q, 0, BYTES));
  CHECK(cudaMemset(sum, 0, BYTES));
  CHECK(cudaDeviceSynchronize());
  for (const auto &c : cases)
    if (!std::strcmp(c.name, argv[1])) {
      c.run();
      CHECK(cudaDeviceSynchronize());
      return 0;
    }
  return 2;
}
