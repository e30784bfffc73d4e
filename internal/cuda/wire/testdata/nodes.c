// A program that adds nodes of all kinds by the generic functions of both APIs, reads and changes them, and asks what a stream
// captures. It is compiled for the layouts of CUDA 12 and 13 (MAJOR). Each line that it prints says what is right.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
typedef struct { unsigned x, y, z; } dim3;
struct location { int kind, id; };
struct edge { unsigned char from, to, type, reserved[5]; };
struct pool_properties { int kind, handles; struct location location; void *security; size_t most; char reserved[56]; };
struct alloc_node { struct pool_properties properties; const void *access; size_t access_count, size; uint64_t address; };
struct kernel_node { handle function; dim3 grid, block; unsigned shared; void **params, **extra; handle more[2]; };
struct memset_node { uint64_t to; size_t pitch; unsigned value, element; size_t width, height; handle context; };
struct extent { size_t width, height, depth; };
struct pitched { void *ptr; size_t pitch, width, height; };
struct copy3d { handle from_array; size_t from_at[3]; struct pitched from; handle to_array; size_t to_at[3]; struct pitched to; struct extent extent; int kind; };
struct side { size_t x, y, z, level; int type; const void *host; uint64_t device; const void *array, *reserved; size_t pitch, height; };
struct driver_copy { struct side from, to; size_t width, height, depth; };
struct params {
	int kind, reserved0[3];
	union {
		long long reserved1[29];
		struct kernel_node kernel;
#if MAJOR >= 13
		struct { int flags, reserved; handle context; struct copy3d copy; } memcpy;
#else
		struct { int flags, reserved[3]; struct copy3d copy; } memcpy;
#endif
		struct { int flags, reserved; handle context; struct driver_copy copy; } driver_memcpy;
		struct memset_node set;
		struct { void (*function)(void *); void *data; unsigned mode; handle context; } host;
		struct { handle graph; int ownership; } child;
		handle event;
		struct alloc_node alloc;
		uint64_t freed;
	};
	long long reserved2;
};
enum { KERNEL, MEMCPY, MEMSET, HOST, GRAPH, EMPTY, WAIT, RECORD, ALLOC = 10, RELEASE, SEMAPHORE = 8 };
enum { INVALID_VALUE = 1, INVALID_FUNCTION = 98, ILLEGAL_STATE = 401, NOT_SUPPORTED = 801, N = 32 };
int cudaLibraryLoadFromFile(handle *, const char *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryGetKernel(handle *, handle, const char *);
int cudaMalloc(void *, size_t), cudaMemset(void *, int, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaMemsetAsync(void *, int, size_t, handle), cudaMemset3DAsync(struct pitched, int, struct extent, handle);
int cudaStreamCreate(handle *), cudaStreamSynchronize(handle), cudaEventCreate(handle *), cudaEventRecord(handle, handle), cudaEventRecordWithFlags(handle, handle, unsigned), cudaEventQuery(handle), cudaEventElapsedTime(float *, handle, handle), cudaStreamWaitEvent(handle, handle, unsigned);
int cudaGraphCreate(handle *, unsigned), cudaGraphDestroy(handle), cudaGraphInstantiateWithFlags(handle *, handle, unsigned long long), cudaGraphLaunch(handle, handle), cudaGraphExecDestroy(handle), cudaGraphExecGetFlags(handle, unsigned long long *);
int cudaGraphNodeSetParams(handle, struct params *), cudaGraphExecNodeSetParams(handle, handle, struct params *), cudaGraphDestroyNode(handle), cudaGraphNodeSetEnabled(handle, handle, unsigned), cudaGraphNodeGetEnabled(handle, handle, unsigned *), cudaGraphGetRootNodes(handle, handle *, size_t *);
int cudaGraphGetEdges_v2(handle, handle *, handle *, struct edge *, size_t *), cudaGraphNodeGetDependencies_v2(handle, handle *, struct edge *, size_t *), cudaGraphNodeGetDependentNodes_v2(handle, handle *, struct edge *, size_t *), cudaGraphRemoveDependencies_v2(handle, handle *, handle *, const struct edge *, size_t);
int cudaGraphMemsetNodeGetParams(handle, struct memset_node *), cudaGraphExecMemsetNodeSetParams(handle, handle, const struct memset_node *), cudaGraphNodeFindInClone(handle *, handle, handle), cudaGraphClone(handle *, handle), cudaGraphDebugDotPrint(handle, const char *, unsigned);
int cudaGraphEventRecordNodeGetEvent(handle, handle *), cudaGraphNodeGetType(handle, int *), cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaStreamBeginCaptureToGraph(handle, handle, const handle *, const struct edge *, size_t, int), cudaThreadExchangeStreamCaptureMode(int *);
int cudaStreamGetCaptureInfo_v2(handle, int *, unsigned long long *, handle *, const handle **, size_t *), cudaStreamGetCaptureInfo_v3(handle, int *, unsigned long long *, handle *, const handle **, const struct edge **, size_t *), cudaStreamUpdateCaptureDependencies_v2(handle, handle *, const struct edge *, size_t, unsigned);
#if MAJOR >= 13
int cudaGraphAddNode(handle *, handle, const handle *, const struct edge *, size_t, struct params *), cudaGraphGetEdges(handle, handle *, handle *, struct edge *, size_t *), cudaStreamGetCaptureInfo(handle, int *, unsigned long long *, handle *, const handle **, const struct edge **, size_t *);
#define ADD(node, graph, deps, n, p) cudaGraphAddNode(node, graph, deps, NULL, n, p)
#define EDGES(graph, from, to, n) cudaGraphGetEdges(graph, from, to, NULL, n)
#define INFO(s, status, id) cudaStreamGetCaptureInfo(s, status, id, NULL, NULL, NULL, NULL)
#else
int cudaGraphAddNode(handle *, handle, const handle *, size_t, struct params *), cudaGraphGetEdges(handle, handle *, handle *, size_t *), cudaStreamGetCaptureInfo(handle, int *, unsigned long long *);
#define ADD(node, graph, deps, n, p) cudaGraphAddNode(node, graph, deps, n, p)
#define EDGES(graph, from, to, n) cudaGraphGetEdges(graph, from, to, n)
#define INFO(s, status, id) cudaStreamGetCaptureInfo(s, status, id)
#endif
int cuGraphAddNode_v2(handle *, handle, const handle *, const struct edge *, size_t, struct params *), cuGraphAddNode(handle *, handle, const handle *, size_t, struct params *), cuGraphNodeGetParams(handle, struct params *), cuGraphExecNodeSetParams(handle, handle, struct params *);
int cuGraphCreate(handle *, unsigned), cuGraphDestroy(handle), cuGraphInstantiateWithFlags(handle *, handle, unsigned long long), cuGraphLaunch(handle, handle), cuGraphExecDestroy(handle), cuStreamCreate(handle *, unsigned), cuStreamSynchronize(handle), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *), cuStreamBeginCapture_v2(handle, int), cuStreamEndCapture(handle, handle *), cuStreamGetCaptureInfo_v3(handle, int *, uint64_t *, handle *, const handle **, const struct edge **, size_t *), cuStreamUpdateCaptureDependencies_v2(handle, handle *, const struct edge *, size_t, unsigned);
int cuMemAllocAsync(uint64_t *, size_t, handle), cuMemFreeAsync(uint64_t, handle), cuMemsetD32Async(uint64_t, unsigned, size_t, handle), cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, handle), cuGraphGetNodes(handle, handle *, size_t *), cuGraphNodeGetType(handle, int *), cuGraphMemAllocNodeGetParams(handle, struct alloc_node *);
int cuEventCreate(handle *, unsigned), cuEventQuery(handle), cuEventElapsedTime(float *, handle, handle), cuStreamSetAttribute(handle, int, const void *), cuStreamGetId(handle, unsigned long long *);

static unsigned host[N];
static int calls;
static void called(void *by) { calls += *(int *)by; }

static long total(void) {
	long sum = 0;
	for (int i = 0; i < N; i++)
		sum += host[i];
	return sum;
}

static struct params fills(uint64_t to, unsigned value) { return (struct params){.kind = MEMSET, .set = {to, 0, value, 4, N, 1, NULL}}; }

static void runtime_nodes(const char *path) {
	handle library, kernel, graph, exec, stream, event[2], n[9], from[9], to[9], child, clone;
	size_t count = 9;
	unsigned more = 3, enabled;
	unsigned long long flags;
	int kind, by = 2;
	uint64_t data;
	float ms;
	MUST(cudaLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
	MUST(cudaLibraryGetKernel(&kernel, library, "add"));
	MUST(cudaStreamCreate(&stream));
	MUST(cudaEventCreate(&event[0]));
	MUST(cudaEventCreate(&event[1]));
	MUST(cudaGraphCreate(&graph, 0));
	struct params alloc = {.kind = ALLOC, .alloc = {.properties = {1, 0, {1, 0}}, .size = sizeof host}};
	MUST(ADD(&n[0], graph, NULL, 0, &alloc));
	data = alloc.alloc.address;
	struct params record = {.kind = RECORD, .event = event[0]}, fill = fills(data, 5);
	MUST(ADD(&n[1], graph, &n[0], 1, &record));
	MUST(ADD(&n[2], graph, &n[1], 1, &fill));
	void *args[] = {&data, &more};
	struct params launch = {.kind = KERNEL, .kernel = {kernel, {1, 1, 1}, {N, 1, 1}, 0, args}};
	MUST(ADD(&n[3], graph, &n[2], 1, &launch));
	struct params copy = {.kind = MEMCPY};
	copy.memcpy.copy = (struct copy3d){.from = {(void *)data, sizeof host, sizeof host, 1}, .to = {host, sizeof host, sizeof host, 1}, .extent = {sizeof host, 1, 1}, .kind = 2};
	MUST(ADD(&n[4], graph, &n[3], 1, &copy));
	struct params call = {.kind = HOST, .host = {called, &by}};
	MUST(ADD(&n[5], graph, &n[4], 1, &call));
	struct params end = {.kind = RELEASE, .freed = data};
	MUST(ADD(&n[6], graph, &n[4], 1, &end));
	record.event = event[1];
	MUST(ADD(&n[7], graph, &n[6], 1, &record));
	struct params none = {.kind = EMPTY}, semaphore = {.kind = SEMAPHORE};
	MUST(ADD(&n[8], graph, &n[7], 1, &none));
	launch.kernel.function = &by;
	equal("no kernel, and no node", ADD(&child, graph, NULL, 0, &launch), INVALID_FUNCTION);
	equal("a node of semaphores", ADD(&child, graph, NULL, 0, &semaphore), NOT_SUPPORTED);
	equal("edges", EDGES(graph, from, to, &count) == 0 && count == 8 && from[0] == n[0] && to[0] == n[1], 1);
	equal("which nodes begin", cudaGraphGetRootNodes(graph, from, (count = 9, &count)) == 0 && count == 1 && from[0] == n[0], 1);
	equal("what comes after the copy", cudaGraphNodeGetDependentNodes_v2(n[4], to, NULL, (count = 9, &count)) == 0 && count == 2 && to[0] == n[5] && to[1] == n[6], 1);
	equal("what comes before the end", cudaGraphNodeGetDependencies_v2(n[8], from, NULL, (count = 1, &count)) == 0 && count == 1 && from[0] == n[7], 1);
	equal("an event's node", cudaGraphEventRecordNodeGetEvent(n[7], &child) == 0 && child == event[1] && cudaGraphNodeGetType(n[7], &kind) == 0 && kind == RECORD, 1);
	MUST(cudaGraphDestroyNode(n[8]));
	equal("edges without the last node", EDGES(graph, NULL, NULL, &count) == 0 && count == 7, 1);
	MUST(cudaGraphInstantiateWithFlags(&exec, graph, 8));
	equal("flags", cudaGraphExecGetFlags(exec, &flags) == 0 && flags == 8, 1);
	MUST(cudaGraphLaunch(exec, stream));
	MUST(cudaStreamSynchronize(stream));
	equal("all nodes", total() == 8 * N && calls == 2 && cudaEventQuery(event[1]) == 0 && cudaEventElapsedTime(&ms, event[0], event[1]) == 0 && ms >= 0, 1);
	fill = fills(data, 1);
	equal("changed parameters", cudaGraphExecNodeSetParams(exec, n[2], &fill) == 0 && cudaGraphNodeSetEnabled(exec, n[3], 0) == 0 && cudaGraphNodeGetEnabled(exec, n[3], &enabled) == 0 && enabled == 0, 1);
	equal("of another kind", cudaGraphExecNodeSetParams(exec, n[3], &fill), INVALID_VALUE);
	equal("an allocation stays", cudaGraphNodeSetEnabled(exec, n[0], 0), INVALID_VALUE);
	MUST(cudaGraphLaunch(exec, stream));
	MUST(cudaStreamSynchronize(stream));
	equal("a fill without the kernel", total(), N);
	MUST(cudaGraphClone(&clone, graph));
	equal("a node of a copy", cudaGraphNodeFindInClone(&child, n[2], clone) == 0 && cudaGraphMemsetNodeGetParams(child, &fill.set) == 0 && fill.set.value == 5 && fill.set.to == data, 1);
	struct params within = {.kind = GRAPH, .child = {clone, 1}};
	handle outer;
	MUST(cudaGraphCreate(&outer, 0));
	equal("a graph that is handed over", ADD(&child, outer, NULL, 0, &within) == 0 && cudaGraphDestroy(outer) == 0, 1);
	equal("an edge that there is not", cudaGraphRemoveDependencies_v2(graph, &n[0], &n[4], NULL, 1), INVALID_VALUE);
	equal("an edge less", cudaGraphRemoveDependencies_v2(graph, &n[4], &n[5], NULL, 1) == 0 && EDGES(graph, NULL, NULL, &count) == 0 && count == 6, 1);
	equal("a drawing", cudaGraphDebugDotPrint(graph, "/dev/null", 0), 0);
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
}

int cudaUserObjectCreate(handle *, void *, void (*)(void *), unsigned, unsigned), cudaUserObjectRetain(handle, unsigned), cudaUserObjectRelease(handle, unsigned), cudaGraphRetainUserObject(handle, handle, unsigned, unsigned), cudaGraphReleaseUserObject(handle, handle, unsigned);
int cuUserObjectCreate(handle *, void *, void (*)(void *), unsigned, unsigned), cuUserObjectRelease(handle, unsigned), cuGraphRetainUserObject(handle, handle, unsigned, unsigned);

static void destroyed(void *data) { ++*(int *)data; }

// user_objects has graphs keep an object of each API.
static void user_objects(void) {
	int gone = 0;
	handle graph, exec, object;
	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaUserObjectCreate(&object, &gone, destroyed, 1, 1));
	MUST(cudaUserObjectRetain(object, 2));
	MUST(cudaGraphRetainUserObject(graph, object, 1, 1)); // the graph has one of the three
	MUST(cudaGraphRetainUserObject(graph, object, 2, 0)); // and two more
	equal("too many references to release", cudaUserObjectRelease(object, 6) == 1 && cudaGraphReleaseUserObject(graph, object, 4) == 1 && cudaUserObjectCreate(&object, &gone, destroyed, 1, 0) == 1, 1);
	MUST(cudaGraphReleaseUserObject(graph, object, 2));
	MUST(cudaUserObjectRelease(object, 2));
	MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cudaGraphDestroy(graph));
	equal("an object that an executable graph keeps", gone, 0);
	MUST(cudaGraphExecDestroy(exec));
	equal("an object without references", gone, 1);
	MUST(cuUserObjectCreate(&object, &gone, destroyed, 1, 1));
	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphRetainUserObject(graph, object, 1, 0));
	MUST(cuUserObjectRelease(object, 1));
	MUST(cuGraphDestroy(graph));
	equal("an object of the driver API", gone, 2);
}

int cudaThreadSetCacheConfig(int), cudaThreadGetCacheConfig(int *), cudaThreadSetLimit(int, size_t), cudaThreadGetLimit(size_t *, int);

static void old_names(void) {
	int config = -1;
	size_t stack = 0;
	equal("names from before CUDA 4", cudaThreadSetCacheConfig(1) == 0 && cudaThreadGetCacheConfig(&config) == 0 && config >= 0 && cudaThreadSetLimit(0, 2048) == 0 && cudaThreadGetLimit(&stack, 0) == 0 && stack > 0, 1);
}

static void runtime_capture(void) {
	handle stream, graph, exec, first, event;
	const handle *before;
	const struct edge *edges;
	size_t count;
	unsigned long long id, same;
	int status, mode = 2, *p, *q;
	MUST(cudaStreamCreate(&stream));
	MUST(cudaEventCreate(&event));
	MUST(cudaMalloc(&p, sizeof host));
	MUST(cudaMalloc(&q, sizeof host));
	equal("a mode", cudaThreadExchangeStreamCaptureMode(&mode) == 0 && mode == 0 && cudaThreadExchangeStreamCaptureMode(&mode) == 0 && mode == 2, 1);
	equal("no capture", INFO(stream, &status, &id) == 0 && status == 0, 1);
	equal("no capture to change", cudaStreamUpdateCaptureDependencies_v2(stream, NULL, NULL, 0, 0), ILLEGAL_STATE);
	MUST(cudaStreamBeginCapture(stream, 0));
	MUST(cudaMemsetAsync(p, 1, sizeof host, stream));
	equal("a capture", cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &before, &count) == 0 && status == 1 && count == 1, 1);
	first = before[0];
	equal("the same", INFO(stream, &status, &same) == 0 && same == id, 1);
	struct params fill = fills((uint64_t)q, 7);
	handle added, both[2] = {first};
	MUST(ADD(&added, graph, NULL, 0, &fill));
	both[1] = added;
	equal("an added node", cudaStreamUpdateCaptureDependencies_v2(stream, &added, NULL, 1, 0) == 0 && cudaStreamGetCaptureInfo_v3(stream, &status, NULL, NULL, &before, &edges, &count) == 0 && count == 2 && before[1] == added && edges[1].from == 0, 1);
	MUST(cudaMemset3DAsync((struct pitched){p, 64, 64, 2}, 2, (struct extent){60, 2, 1}, stream));
	MUST(cudaEventRecordWithFlags(event, stream, 1));
	MUST(cudaStreamEndCapture(stream, &graph));
	equal("edges of the capture", cudaGraphGetEdges_v2(graph, NULL, NULL, NULL, &count) == 0 && count == 3, 1);
	MUST(cudaStreamBeginCaptureToGraph(stream, graph, both, NULL, 2, 0));
	MUST(cudaMemsetAsync(q, 9, 4, stream));
	equal("a capture that goes on", cudaStreamEndCapture(stream, NULL) == 0 && cudaStreamEndCapture(stream, NULL) != 0 && cudaGraphGetEdges_v2(graph, NULL, NULL, NULL, &count) == 0 && count == 5, 1);
	MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cudaGraphLaunch(exec, stream));
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemcpy(host, p, sizeof host, 2));
	equal("a fill of rows", host[14] == 0x02020202 && host[15] == 0x01010101 && host[16] == 0x02020202, 1);
	MUST(cudaMemcpy(host, q, sizeof host, 2));
	equal("a fill of two", host[0] == 0x09090909 && host[1] == 7 && cudaEventQuery(event) == 0, 1);
	equal("another stream waits", cudaStreamWaitEvent(stream, event, 0), 0);
}

static void driver_nodes(const char *path) {
	handle module, function, graph, exec, stream, event, n[7];
	const handle *before;
	const struct edge *edges;
	size_t count;
	unsigned more = 4;
	uint64_t data;
	int status, by = 10;
	unsigned long long id;
	struct params got, alloc = {.kind = ALLOC, .alloc = {.properties = {1, 0, {1, 0}}, .size = sizeof host}};
	MUST(cuModuleLoad(&module, path));
	MUST(cuModuleGetFunction(&function, module, "add"));
	MUST(cuStreamCreate(&stream, 0));
	MUST(cuEventCreate(&event, 0));
	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphAddNode_v2(&n[0], graph, NULL, NULL, 0, &alloc));
	data = alloc.alloc.address;
	struct params fill = fills(data, 2), end = {.kind = RELEASE, .freed = data}, call = {.kind = HOST, .host = {called, &by}}, record = {.kind = RECORD, .event = event};
	void *args[] = {&data, &more};
	struct params launch = {.kind = KERNEL, .kernel = {NULL, {1, 1, 1}, {N, 1, 1}, 0, args, NULL, {function}}}, copy = {.kind = MEMCPY};
	copy.driver_memcpy.copy = (struct driver_copy){.from = {.type = 2, .device = data}, .to = {.type = 1, .host = host}, .width = sizeof host, .height = 1, .depth = 1};
	MUST(cuGraphAddNode(&n[1], graph, &n[0], 1, &fill));
	MUST(cuGraphAddNode_v2(&n[2], graph, &n[1], &(struct edge){0}, 1, &launch));
	MUST(cuGraphAddNode_v2(&n[3], graph, &n[2], NULL, 1, &copy));
	MUST(cuGraphAddNode_v2(&n[4], graph, &n[3], NULL, 1, &end));
	MUST(cuGraphAddNode_v2(&n[5], graph, &n[4], NULL, 1, &call));
	MUST(cuGraphAddNode_v2(&n[6], graph, &n[4], NULL, 1, &record));
	equal("parameters of an allocation", cuGraphNodeGetParams(n[0], &got) == 0 && got.kind == ALLOC && got.alloc.address == data && got.alloc.size == sizeof host && cuGraphMemAllocNodeGetParams(n[0], &got.alloc) == 0 && got.alloc.address == data, 1);
	equal("parameters of a kernel", cuGraphNodeGetParams(n[2], &got) == 0 && got.kernel.function == function && got.kernel.block.x == N && *(uint64_t *)got.kernel.params[0] == data, 1);
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	calls = 0;
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuStreamSynchronize(stream));
	equal("all nodes of the driver API", total() == 6 * N && calls == 10 && cuEventQuery(event) == 0, 1);
	more = 1;
	equal("a changed kernel", cuGraphExecNodeSetParams(exec, n[2], &launch) == 0 && cuGraphLaunch(exec, stream) == 0 && cuStreamSynchronize(stream) == 0 && total() == 3 * N, 1);
	MUST(cuGraphExecDestroy(exec));
	MUST(cuGraphDestroy(graph));
	MUST(cuStreamBeginCapture_v2(stream, 0));
	MUST(cuMemAllocAsync(&data, sizeof host, stream));
	MUST(cuMemsetD32Async(data, 6, N, stream));
	equal("a capture of the driver API", cuStreamGetCaptureInfo_v3(stream, &status, NULL, &graph, &before, &edges, &count) == 0 && status == 1 && count == 1, 1);
	n[0] = before[0];
	MUST(cuMemcpyDtoHAsync_v2(host, data, sizeof host, stream));
	equal("a capture from an earlier node", cuStreamUpdateCaptureDependencies_v2(stream, &n[0], NULL, 1, 1) == 0 && cuStreamGetCaptureInfo_v3(stream, &status, NULL, NULL, &before, NULL, &count) == 0 && count == 1 && before[0] == n[0], 1);
	MUST(cuStreamEndCapture(stream, &graph));
	equal("a capture that is over", cuStreamEndCapture(stream, NULL) != 0, 1);
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	equal("memory of a captured graph", cuGraphLaunch(exec, stream) == 0 && cuStreamSynchronize(stream) == 0 && total() == 6 * N, 1);
	equal("its end", cuMemFreeAsync(data, stream), 0);
	char value[64] = "";
	equal("a hint", cuStreamSetAttribute(stream, 1, value), 0);
	equal("no hint", cuStreamSetAttribute(stream, 2, value), NOT_SUPPORTED);
	equal("a number", cuStreamGetId(stream, &id) == 0 && id != 0, 1);
}

int main(int argc, char **argv) {
	(void)argc;
	runtime_nodes(argv[1]);
	runtime_capture();
	user_objects();
	old_names();
	driver_nodes(argv[1]);
	return 0;
}
