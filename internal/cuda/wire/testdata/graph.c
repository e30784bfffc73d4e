// A program of the driver API with a graph of nodes of all kinds, which it launches, changes and launches again.
// Every line says that it is right.
#include "check.h"

#include <stdint.h>
#include <string.h>

struct kernel_node {
	void *function;
	unsigned grid[3], block[3], shared;
	void **params, **extra;
};
struct memset_node {
	uint64_t to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};
struct side {
	size_t x, y, z, level;
	int type;
	const void *host;
	uint64_t device;
	const void *array, *reserved;
	size_t pitch, height;
};
struct copy_node {
	struct side from, to;
	size_t width, height, depth;
};
struct host_node {
	void (*function)(void *);
	void *data;
};

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *);
int cuGraphCreate(void **, unsigned), cuGraphDestroy(void *), cuGraphClone(void **, void *), cuGraphNodeFindInClone(void **, void *, void *), cuGraphGetNodes(void *, void **, size_t *), cuGraphGetEdges(void *, void **, void **, size_t *), cuGraphAddDependencies(void *, void **, void **, size_t);
int cuGraphAddKernelNode(void **, void *, void **, size_t, const struct kernel_node *), cuGraphAddMemsetNode(void **, void *, void **, size_t, const struct memset_node *, void *), cuGraphAddMemcpyNode(void **, void *, void **, size_t, const struct copy_node *, void *);
int cuGraphAddHostNode(void **, void *, void **, size_t, const struct host_node *), cuGraphAddEmptyNode(void **, void *, void **, size_t), cuGraphAddChildGraphNode(void **, void *, void **, size_t, void *);
int cuGraphKernelNodeGetParams(void *, struct kernel_node *), cuGraphExecKernelNodeSetParams(void *, void *, const struct kernel_node *), cuGraphExecMemsetNodeSetParams(void *, void *, const struct memset_node *, void *);
int cuGraphExecMemcpyNodeSetParams(void *, void *, const struct copy_node *, void *), cuGraphExecHostNodeSetParams(void *, void *, const struct host_node *);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **), cuStreamIsCapturing(void *, int *), cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuLaunchHostFunc(void *, void (*)(void *), void *);
int cuMemsetD32Async(uint64_t, unsigned, size_t, void *), cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);
int cuGraphInstantiateWithFlags(void **, void *, unsigned long long), cuGraphExecUpdate_v2(void *, void *, void *), cuGraphExecDestroy(void *), cuGraphLaunch(void *, void *), cuGraphUpload(void *, void *);

enum { N = 32, HOST = 1, DEVICE = 2, INVALID = 1 };
static unsigned first[N], second[N];
static void *context, *module, *stream;

static long total(const unsigned *p) {
	long sum = 0;
	for (int i = 0; i < N; i++)
		sum += p[i];
	return sum;
}

static void called(void *count) { ++*(int *)count; }

static struct copy_node copy_of(uint64_t from, unsigned *to) {
	return (struct copy_node){.from = {.type = DEVICE, .device = from}, .to = {.type = HOST, .host = to}, .width = N * sizeof *to, .height = 1, .depth = 1};
}

// captures records what two streams are given, the second of which follows the first.
static void captures(void *add, uint64_t data) {
	void *graph, *exec, *other, *event, *back, *params[2];
	unsigned three = 3;
	int calls = 0, status;
	params[0] = &data, params[1] = &three;
	MUST(cuStreamCreate(&other, 0));
	MUST(cuEventCreate(&event, 0));
	MUST(cuEventCreate(&back, 0));
	memset(first, 0, sizeof first);
	MUST(cuStreamBeginCapture_v2(stream, 0));
	MUST(cuMemsetD32Async(data, 4, N, stream));
	MUST(cuEventRecord(event, stream));
	MUST(cuStreamWaitEvent(other, event, 0));
	MUST(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, other, params, NULL));
	MUST(cuEventRecord(back, other));
	MUST(cuStreamWaitEvent(stream, back, 0));
	MUST(cuMemcpyDtoHAsync_v2(first, data, sizeof first, stream));
	MUST(cuLaunchHostFunc(stream, called, &calls));
	MUST(cuStreamIsCapturing(other, &status));
	MUST(cuStreamEndCapture(stream, &graph));
	equal("captured", status == 1 && calls == 0 && total(first) == 0, 1);
	MUST(cuStreamIsCapturing(other, &status));
	equal("not any more", status, 0);
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("launched what was captured", calls == 1 && total(first) == 7 * N, 1);
}

// turned launches a graph whose copy was added before the node that sets what it copies.
static void turned(uint64_t data) {
	void *graph, *outer, *exec, *copy, *set;
	struct copy_node out = copy_of(data, first);
	struct memset_node ones = {data, 0, 1, 4, N, 1};
	memset(first, 0, sizeof first);
	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphAddMemcpyNode(&copy, graph, NULL, 0, &out, context));
	MUST(cuGraphAddMemsetNode(&set, graph, NULL, 0, &ones, context));
	MUST(cuGraphAddDependencies(graph, &set, &copy, 1));
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("a copy behind a node that was added later", total(first), N);
	ones.value = 2;
	MUST(cuGraphExecMemsetNodeSetParams(exec, set, &ones, context));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("the node that was changed", total(first), 2 * N);
	MUST(cuGraphAddDependencies(graph, &copy, &set, 1));
	MUST(cuGraphExecDestroy(exec));
	equal("a circle", cuGraphInstantiateWithFlags(&exec, graph, 0), INVALID);
	size_t count = 9;
	MUST(cuGraphCreate(&outer, 0));
	equal("a circle as a node", cuGraphAddChildGraphNode(&copy, outer, NULL, 0, graph), INVALID);
	equal("adds no node", cuGraphGetNodes(outer, NULL, &count) == 0 && count == 0, 1);
	MUST(cuGraphDestroy(outer));
	MUST(cuGraphDestroy(graph));
}

int main(int argc, char **argv) {
	static char ptx[8192];
	void *add, *graph, *child, *copy, *exec, *n[6], *found, *edges[2][8];
	uint64_t data;
	unsigned two = 2, ten = 10;
	int calls = 0, others = 0;
	size_t count = 0;
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (f == NULL || fread(ptx, 1, sizeof ptx - 1, f) == 0)
		return 9;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&add, module, "add"));
	MUST(cuMemAlloc_v2(&data, sizeof first));
	MUST(cuStreamCreate(&stream, 0));

	void *params[] = {&data, &two};
	struct kernel_node kernel = {add, {1, 1, 1}, {N, 1, 1}, 0, params, NULL}, got;
	struct memset_node set = {data, 0, 5, 4, N, 1};
	struct copy_node out = copy_of(data, first);
	struct host_node call = {called, &calls};
	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphCreate(&child, 0));
	MUST(cuGraphAddKernelNode(&n[0], child, NULL, 0, &kernel));
	MUST(cuGraphAddEmptyNode(&n[0], graph, NULL, 0));
	MUST(cuGraphAddMemsetNode(&n[1], graph, &n[0], 1, &set, context));
	MUST(cuGraphAddKernelNode(&n[2], graph, &n[1], 1, &kernel));
	MUST(cuGraphAddChildGraphNode(&n[3], graph, &n[2], 1, child));
	MUST(cuGraphAddMemcpyNode(&n[4], graph, &n[3], 1, &out, context));
	MUST(cuGraphAddHostNode(&n[5], graph, &n[4], 1, &call));
	two = 100; // the node has the value from before
	MUST(cuGraphKernelNodeGetParams(n[2], &got));
	equal("parameters", *(unsigned *)got.params[1], 2);
	MUST(cuGraphGetNodes(graph, NULL, &count));
	equal("nodes", count, 6);
	count = 8;
	MUST(cuGraphGetEdges(graph, edges[0], edges[1], &count));
	equal("edges", count == 5 && edges[0][0] == n[0] && edges[1][4] == n[5], 1);
	MUST(cuGraphClone(&copy, graph));
	MUST(cuGraphNodeFindInClone(&found, n[2], copy));
	equal("a clone", found != n[2], 1);
	equal("not in the clone", cuGraphNodeFindInClone(&found, found, copy), INVALID);

	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphUpload(exec, stream));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("launched", total(first), N * 9);
	equal("function of the host", calls, 2);

	params[1] = &ten, set.value = 1, out = copy_of(data, second), call.data = &others;
	MUST(cuGraphExecKernelNodeSetParams(exec, n[2], &kernel));
	MUST(cuGraphExecMemsetNodeSetParams(exec, n[1], &set, context));
	MUST(cuGraphExecMemcpyNodeSetParams(exec, n[4], &out, context));
	MUST(cuGraphExecHostNodeSetParams(exec, n[5], &call));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("changed", total(second), N * 13);
	equal("another function", others == 1 && calls == 2, 1);
	MUST(cuGraphExecUpdate_v2(exec, copy, NULL));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("updated", total(first), N * 9);
	MUST(cuGraphExecDestroy(exec));
	MUST(cuGraphDestroy(copy));
	MUST(cuGraphDestroy(child));
	MUST(cuGraphDestroy(graph));
	captures(add, data);
	turned(data);
	return 0;
}
