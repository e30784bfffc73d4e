// A program that allocates from memory pools, of both APIs, and copies between peers, of which the only device is one.
// Each line that it prints says what is right.
#include "check.h"

#include <stdint.h>

typedef void *handle;
struct location { int kind, id; };
struct properties { int kind, handles; struct location location; void *security; size_t most; unsigned short usage; char reserved[54]; };
struct allow { struct location location; int access; };
struct set { void *to; size_t pitch; unsigned value, element; size_t width, height; };
struct extent { size_t width, height, depth; };
struct position { size_t x, y, z; };
struct pitched { void *ptr; size_t pitch, width, height; };
struct peer_copy { handle from_array; struct position from_at; struct pitched from; int from_device; handle to_array; struct position to_at; struct pitched to; int to_device; struct extent extent; };

int cudaMallocAsync(void *, size_t, handle), cudaMallocFromPoolAsync(void *, size_t, handle, handle), cudaFreeAsync(void *, handle), cudaFree(void *), cudaMalloc(void *, size_t);
int cudaDeviceGetDefaultMemPool(handle *, int), cudaDeviceGetMemPool(handle *, int), cudaDeviceSetMemPool(int, handle), cudaMemPoolCreate(handle *, const struct properties *), cudaMemPoolDestroy(handle);
int cudaMemPoolSetAttribute(handle, int, void *), cudaMemPoolGetAttribute(handle, int, void *), cudaMemPoolTrimTo(handle, size_t), cudaMemPoolSetAccess(handle, const struct allow *, size_t), cudaMemPoolGetAccess(int *, handle, const struct location *);
int cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, handle), cudaMemcpyPeer(void *, int, const void *, int, size_t), cudaMemcpy3DPeer(const struct peer_copy *), cudaMemcpy3DPeerAsync(const struct peer_copy *, handle);
int cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaGraphInstantiate(handle *, handle, handle *, char *, size_t), cudaGraphLaunch(handle, handle), cudaGraphExecDestroy(handle), cudaGraphDestroy(handle), cudaGraphNodeGetType(handle, int *);
int cudaGraphAddMemAllocNode(handle *, handle, const handle *, size_t, void *), cudaGraphAddMemsetNode(handle *, handle, const handle *, size_t, const struct set *), cudaGraphAddMemFreeNode(handle *, handle, const handle *, size_t, void *), cudaMemset(void *, int, size_t), cudaMemsetAsync(void *, int, size_t, handle), cudaMemcpyAsync(void *, const void *, size_t, int, handle);
int cudaMemcpy(void *, const void *, size_t, int), cudaStreamCreate(handle *), cudaStreamSynchronize(handle), cudaDeviceReset(void), cudaDeviceGetAttribute(int *, int, int);
int cuMemAllocAsync(uint64_t *, size_t, handle), cuMemAllocFromPoolAsync(uint64_t *, size_t, handle, handle), cuMemFreeAsync(uint64_t, handle), cuMemPoolCreate(handle *, const struct properties *), cuMemPoolDestroy(handle), cuDeviceGetDefaultMemPool(handle *, int);
int cuMemPoolGetAttribute(handle, int, void *), cuMemcpyPeerAsync(uint64_t, handle, uint64_t, handle, size_t, handle), cuCtxEnablePeerAccess(handle, unsigned), cuCtxDisablePeerAccess(handle), cuCtxGetCurrent(handle *);

enum { TO_DEVICE = 1, FROM_DEVICE = 2, ON_BOTH = 3, PINNED = 1, ON_DEVICE = 1, READ_AND_WRITE = 3 };
enum { REUSE = 1, THRESHOLD = 4, RESERVED = 5, USED = 7, USED_HIGH = 8 };
enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_DEVICE = 101, NOT_ENABLED = 705, NOT_SUPPORTED = 801 };

static uint64_t number(handle pool, int attribute) {
	uint64_t n = 99;
	MUST(cudaMemPoolGetAttribute(pool, attribute, &n));
	return n;
}

static void attributes(handle pool) {
	uint64_t many = UINT64_MAX, zero = 0, one = 1;
	int reuse = 0, pools;
	MUST(cudaDeviceGetAttribute(&pools, 115, 0));
	equal("the device has pools", pools, 1);
	equal("threshold at first", number(pool, THRESHOLD), 0);
	MUST(cudaMemPoolSetAttribute(pool, THRESHOLD, &many));
	equal("threshold", number(pool, THRESHOLD) == many, 1);
	MUST(cudaMemPoolSetAttribute(pool, REUSE, &reuse));
	reuse = 5;
	MUST(cudaMemPoolGetAttribute(pool, REUSE, &reuse));
	equal("reuse", reuse, 0);
	equal("what is in use cannot be set", cudaMemPoolSetAttribute(pool, USED, &zero), INVALID_VALUE);
	equal("a mark can be set to 0 alone", cudaMemPoolSetAttribute(pool, USED_HIGH, &one), INVALID_VALUE);
	equal("no such attribute", cudaMemPoolGetAttribute(pool, 9, &one), INVALID_VALUE);
}

static void use(handle pool, handle stream) {
	uint64_t zero = 0;
	int *p, *q, value = 7, got = 0;
	MUST(cudaMallocAsync(&p, 1000, stream));
	MUST(cudaMallocAsync(&q, 24, stream));
	MUST(cudaStreamSynchronize(stream));
	equal("in use", number(pool, USED), 1024);
	equal("reserved", number(pool, RESERVED), 1024);
	MUST(cudaMemcpy(p, &value, 4, TO_DEVICE));
	MUST(cudaMemcpyPeerAsync(q, 0, p, 0, 4, stream));
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemcpy(&got, q, 4, FROM_DEVICE));
	equal("a copy between peers", got, 7);
	struct peer_copy c = {.from = {p, 4, 4, 1}, .to = {q + 1, 4, 4, 1}, .extent = {4, 1, 1}};
	MUST(cudaMemcpy3DPeer(&c));
	c.to.ptr = q + 2;
	MUST(cudaMemcpy3DPeerAsync(&c, stream));
	MUST(cuMemcpyPeerAsync((uint64_t)(q + 3), NULL, (uint64_t)q, NULL, 4, stream));
	MUST(cudaStreamSynchronize(stream));
	int all[4];
	MUST(cudaMemcpy(all, q, 16, FROM_DEVICE));
	equal("boxes between peers", all[0] * 1000 + all[1] * 100 + all[2] * 10 + all[3], 7777);
	equal("no other device", cudaMemcpyPeer(p, 1, q, 0, 4), INVALID_DEVICE);
	MUST(cudaFreeAsync(p, stream));
	MUST(cudaFree(q));
	equal("in use no more", number(pool, USED), 0);
	equal("most in use", number(pool, USED_HIGH), 1024);
	MUST(cudaMemPoolSetAttribute(pool, USED_HIGH, &zero));
	equal("the mark again", number(pool, USED_HIGH), 0);
	MUST(cudaMemPoolTrimTo(pool, 0));
}

static void own(handle first, handle stream) {
	struct properties p = {.kind = PINNED, .location = {ON_DEVICE, 0}, .most = 4096};
	struct properties shared = p, elsewhere = p, pageable = p;
	shared.handles = 1, elsewhere.location.id = 1, pageable.kind = 0;
	handle pool, other;
	equal("pools are not shared", cudaMemPoolCreate(&pool, &shared), NOT_SUPPORTED);
	equal("pool of no device", cudaMemPoolCreate(&pool, &elsewhere), INVALID_DEVICE);
	equal("pool of no kind", cuMemPoolCreate(&pool, &pageable), INVALID_VALUE);
	MUST(cudaMemPoolCreate(&pool, &p));
	int *a, *b, access, reuse;
	uint64_t c;
	MUST(cudaMemPoolGetAttribute(pool, REUSE, &reuse));
	equal("its attributes are not those of the first one", reuse, 1);
	MUST(cudaMallocFromPoolAsync(&a, 4000, pool, stream));
	equal("more than the pool has", cudaMallocFromPoolAsync(&b, 97, pool, stream), OUT_OF_MEMORY);
	MUST(cuMemAllocFromPoolAsync(&c, 96, pool, stream));
	equal("in use of the pool", number(pool, USED), 4096);
	equal("and of the first one", number(first, USED), 0);
	MUST(cuMemFreeAsync(c, stream));
	MUST(cudaDeviceSetMemPool(0, pool));
	MUST(cudaDeviceGetMemPool(&other, 0));
	equal("the pool of the device", other == pool, 1);
	MUST(cuMemAllocAsync(&c, 96, stream));
	equal("which is used", number(pool, USED), 4096);
	MUST(cudaMemPoolGetAccess(&access, pool, &p.location));
	equal("access", access, READ_AND_WRITE);
	struct allow more = {{ON_DEVICE, 0}, READ_AND_WRITE}, none = {{ON_DEVICE, 0}, 0};
	MUST(cudaMemPoolSetAccess(pool, &more, 1));
	equal("access cannot be taken", cudaMemPoolSetAccess(pool, &none, 1), INVALID_VALUE);
	MUST(cuMemPoolDestroy(pool));
	equal("a pool that has been destroyed", cudaMallocFromPoolAsync(&b, 1, pool, stream), INVALID_VALUE);
	MUST(cudaDeviceGetMemPool(&other, 0));
	equal("the first one again", other == first, 1);
	int value = 5, got = 0;
	MUST(cudaMemcpy(a, &value, 4, TO_DEVICE)); // memory remains
	MUST(cudaMemcpy(&got, a, 4, FROM_DEVICE));
	equal("memory of a pool that has been destroyed", got, 5);
	MUST(cudaFreeAsync(a, stream));
	MUST(cuMemFreeAsync(c, stream));
	equal("it is no pool then", cudaMemPoolTrimTo(pool, 0), INVALID_VALUE);
	equal("the first one cannot be destroyed", cudaMemPoolDestroy(first), INVALID_VALUE);
}

// A graph that a stream captures and one that is put together allocate memory, which is there for all launches.
static void graphs(handle pool, handle stream) {
	struct { struct properties properties; handle access; size_t count, size; int *p; } node = {.size = 400};
	handle graph, exec, made;
	int *p, *out, got = 0, kind = 0;
	uint64_t before = number(pool, USED);
	MUST(cudaMalloc(&out, 4));
	MUST(cudaStreamBeginCapture(stream, 0));
	MUST(cudaMallocAsync(&p, 100, stream));
	MUST(cudaMemsetAsync(p, 5, 4, stream));
	MUST(cudaMemcpyAsync(out, p, 4, ON_BOTH, stream));
	equal("no memory of a graph", cudaFreeAsync(out, stream), INVALID_VALUE);
	MUST(cudaFreeAsync(p, stream));
	MUST(cudaStreamEndCapture(stream, &graph));
	MUST(cudaGraphAddMemAllocNode(&made, graph, NULL, 0, &node));
	MUST(cudaGraphNodeGetType(made, &kind));
	equal("node that allocates", kind, 10);
	MUST(cudaGraphAddMemFreeNode(&made, graph, &made, 1, node.p));
	MUST(cudaGraphAddMemAllocNode(&made, graph, NULL, 0, &node));
	MUST(cudaGraphAddMemsetNode(&made, graph, &made, 1, &(struct set){node.p, 4, 6, 4, 1, 1}));
	MUST(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
	MUST(cudaGraphDestroy(graph));
	for (int i = 0; i < 2; i++) {
		MUST(cudaMemset(out, 0, 4));
		MUST(cudaGraphLaunch(exec, stream));
		MUST(cudaStreamSynchronize(stream));
		MUST(cudaMemcpy(&got, out, 4, FROM_DEVICE));
		equal("memory of a graph", got, 0x05050505);
		MUST(cudaMemcpy(&got, node.p, 4, FROM_DEVICE));
		equal("memory of a graph that the application frees", got, 6);
		MUST(cudaFree(node.p));
	}
	equal("in use by a graph", number(pool, USED) - before, 900);
	MUST(cudaGraphExecDestroy(exec));
	equal("in use after it", number(pool, USED) - before, 0);
	MUST(cudaFree(out));
}

int main(void) {
	handle pool, same, stream;
	MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
	MUST(cuDeviceGetDefaultMemPool(&same, 0));
	equal("one pool for both APIs", pool == same, 1);
	equal("a pool of no device", cudaDeviceGetDefaultMemPool(&same, 1), INVALID_DEVICE);
	MUST(cudaStreamCreate(&stream));
	attributes(pool);
	use(pool, stream);
	own(pool, stream);
	graphs(pool, stream);
	handle own_context;
	MUST(cuCtxGetCurrent(&own_context));
	equal("no peer of itself", cuCtxEnablePeerAccess(own_context, 0), INVALID_DEVICE);
	equal("and none to disable", cuCtxDisablePeerAccess(own_context), NOT_ENABLED);
	int *p;
	MUST(cudaMallocAsync(&p, 64, stream));
	MUST(cudaDeviceReset());
	MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
	equal("in use after a reset", number(pool, USED), 0);
	return 0;
}
