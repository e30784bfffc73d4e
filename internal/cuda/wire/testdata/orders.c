// Pairs of programs of the driver API about the order between the host and streams, each with a race and without:
//
//     orders driver.ptx CASE racy|right
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuCtxSynchronize(void);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemAllocHost_v2(void **, size_t), cuMemAllocAsync(uint64_t *, size_t, void *), cuMemFree_v2(uint64_t), cuMemFreeAsync(uint64_t, void *);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyHtoD_v2_ptds(uint64_t, const void *, size_t), cuMemcpyDtoD_v2(uint64_t, uint64_t, size_t), cuMemcpyPeer(uint64_t, void *, uint64_t, void *, size_t);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *), cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *);
int cuMemsetD32_v2(uint64_t, unsigned, size_t), cuMemsetD32Async(uint64_t, unsigned, size_t, void *), cuMemsetD32Async_ptsz(uint64_t, unsigned, size_t, void *);
int cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned), cuEventCreate(void **, unsigned), cuEventRecord(void *, void *);
int cuLaunchHostFunc(void *, void (*)(void *), void *), cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **);
int cuGraphInstantiateWithFlags(void **, void *, unsigned long long), cuGraphLaunch(void *, void *), cuGraphExecDestroy(void *), cuGraphDestroy(void *);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuStreamWriteValue32(void *, uint64_t, unsigned, unsigned), cuStreamWaitValue32_v2(void *, uint64_t, unsigned, unsigned), cuStreamBatchMemOp_v2(void *, unsigned, void *, unsigned);
int cuGetProcAddress(const char *, void **, int, uint64_t);

enum { N = 32, BYTES = 4 * N, NON_BLOCKING = 1 };
static void *const legacy = (void *)1, *const of_thread = (void *)2;
static int racy;
static void *add, *a, *b, *apart, *event;
static uint64_t data, other;
static unsigned *pinned, host[N];

static void adds(uint64_t to, void *stream) {
	unsigned one = 1;
	void *params[] = {&to, &one};
	MUST(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, stream, params, NULL));
}

static void behind(void *later, void *earlier) {
	MUST(cuEventRecord(event, earlier));
	MUST(cuStreamWaitEvent(later, event, 0));
}

static void release(void) {
	uint64_t own;
	MUST(cuMemAllocAsync(&own, BYTES, a));
	MUST(cuMemsetD32Async(own, 0, N, a));
	if (!racy)
		MUST(cuStreamSynchronize(a));
	MUST(cuMemFree_v2(own));
}

static void releaseInStream(void) {
	uint64_t own;
	MUST(cuMemAllocAsync(&own, BYTES, a));
	behind(b, a);
	MUST(cuMemsetD32Async(own, 0, N, a));
	if (!racy)
		behind(b, a);
	MUST(cuMemFreeAsync(own, b));
}

static void pageable(void) {
	MUST(cuMemcpyHtoD_v2(data, host, BYTES));
	if (!racy)
		MUST(cuStreamSynchronize(legacy));
	adds(data, apart);
}

static void device(void) { // a copy between peers is ordered with all streams
	adds(data, apart);
	MUST(racy ? cuMemcpyDtoD_v2(other, data, BYTES) : cuMemcpyPeer(other, NULL, data, NULL, BYTES));
	adds(other, apart);
}

static void fill(void) {
	MUST(cuMemsetD32_v2(data, 3, N));
	if (!racy)
		MUST(cuCtxSynchronize());
	adds(data, apart);
}

static void thread(void) {
	MUST(cuMemcpyHtoD_v2_ptds(data, host, BYTES));
	if (!racy)
		behind(a, of_thread);
	adds(data, a);
}

static void found(void) { // by name, with per-thread default streams
	enum { PER_THREAD = 2 };
	int (*fills)(uint64_t, unsigned, size_t, void *);
	MUST(cuGetProcAddress("cuMemsetD32Async", (void **)&fills, 12000, racy ? PER_THREAD : 0));
	MUST(fills(data, 3, N, NULL));
	adds(data, a);
}

static void reads(void *sum) { *(unsigned *)sum += pinned[3]; }

static void function(void) {
	static unsigned sum;
	MUST(cuMemcpyDtoHAsync_v2(pinned, data, BYTES, a));
	if (!racy)
		behind(b, a);
	MUST(cuLaunchHostFunc(b, reads, &sum));
}

static void graph(void) {
	void *graph, *exec, *joined;
	MUST(cuEventCreate(&joined, 0));
	MUST(cuStreamBeginCapture_v2(a, 0));
	MUST(cuMemsetD32Async(data, 1, N, a));
	behind(b, a);
	adds(data, a);
	if (!racy)
		behind(b, a);
	MUST(cuMemcpyHtoDAsync_v2(data, pinned, BYTES, b));
	MUST(cuEventRecord(joined, b));
	MUST(cuStreamWaitEvent(a, joined, 0));
	adds(data, a);
	MUST(cuStreamEndCapture(a, &graph));
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphLaunch(exec, a));
	MUST(cuGraphLaunch(exec, apart));
	MUST(cuGraphDestroy(graph));
	MUST(cuGraphExecDestroy(exec));
}

enum { UNFENCED = 1, EQUAL = 1, WAIT_32 = 1, WAIT_64 = 4, WRITE_64 = 5, BARRIER = 6 };

static void value(void) { // a fence before it, or none
	MUST(cuMemsetD32_v2(other, 0, N));
	MUST(cuCtxSynchronize());
	adds(data, a);
	MUST(cuStreamWriteValue32(a, other, 7, racy ? UNFENCED : 0));
	MUST(cuStreamWaitValue32_v2(b, other, 7, EQUAL));
	adds(data, b);
}

static void batch(void) { // the batch waits for another value, or for that of the other stream
	struct {
		uint64_t kind, address, value, flags, reserved[2];
	} writes[] = {{BARRIER}, {WRITE_64, other + 8, 1ull << 40}}, waits[] = {{WAIT_64, other + (racy ? 16 : 8), racy ? 0 : 1ull << 40}, {WAIT_32, other, 0, EQUAL}};
	MUST(cuMemsetD32_v2(other, 0, N));
	MUST(cuCtxSynchronize());
	adds(data, a);
	MUST(cuStreamBatchMemOp_v2(a, 2, writes, 0));
	MUST(cuStreamBatchMemOp_v2(apart, 2, waits, 0));
	adds(data, apart);
}

static void valueOfCopy(void) {
	unsigned one = 1;
	adds(data, a);
	MUST(cuMemcpyHtoDAsync_v2(other, &one, sizeof one, a));
	if (!racy)
		MUST(cuStreamWaitValue32_v2(apart, other, 1, 0));
	adds(data, apart);
}

static void capturedValue(void) {
	void *graph, *exec;
	MUST(cuMemsetD32_v2(other, 0, N));
	MUST(cuCtxSynchronize());
	MUST(cuStreamBeginCapture_v2(a, 0));
	adds(data, a);
	MUST(cuStreamWriteValue32(a, other, 1, racy ? UNFENCED : 0));
	MUST(cuStreamEndCapture(a, &graph));
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphDestroy(graph));
	MUST(cuGraphLaunch(exec, a));
	MUST(cuStreamWaitValue32_v2(b, other, 1, EQUAL));
	adds(data, b);
	MUST(cuGraphExecDestroy(exec));
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{"release", release}, {"releaseInStream", releaseInStream}, {"pageable", pageable}, {"device", device}, {"fill", fill},
	{"thread", thread}, {"found", found}, {"function", function}, {"graph", graph},
	{"value", value}, {"batch", batch}, {"valueOfCopy", valueOfCopy}, {"capturedValue", capturedValue},
};

int main(int argc, char **argv) {
	static char image[1 << 16];
	void *context, *module;
	FILE *f = fopen(argv[1], "r");
	if (argc != 4 || f == NULL || fread(image, 1, sizeof image - 1, f) == 0)
		return 2;
	racy = strcmp(argv[3], "racy") == 0;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, image));
	MUST(cuModuleGetFunction(&add, module, "add"));
	MUST(cuStreamCreate(&a, 0));
	MUST(cuStreamCreate(&b, 0));
	MUST(cuStreamCreate(&apart, NON_BLOCKING));
	MUST(cuEventCreate(&event, 0));
	MUST(cuMemAlloc_v2(&data, BYTES));
	MUST(cuMemAlloc_v2(&other, BYTES));
	MUST(cuMemAllocHost_v2((void **)&pinned, BYTES));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strcmp(argv[2], cases[i].name) == 0) {
			cases[i].run();
			MUST(cuCtxSynchronize());
			puts("done");
		}
	return 0;
}
