// A program that uses both APIs on one device: memory, streams and events of one are used by the other.
// Each line that it prints says what is right. Two kernels in streams of the two are not ordered.
#include "check.h"

#include <stdint.h>

typedef void *handle;
enum { TO_DEVICE = 1, FROM_DEVICE = 2, INVALID_HANDLE = 400, CAPTURE_UNSUPPORTED = 900 };
typedef struct {
	unsigned x, y, z;
} dim3;

int cudaMalloc(void *, size_t), cudaMallocManaged(void *, size_t, unsigned), cudaFree(void *), cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyAsync(void *, const void *, size_t, int, handle);
int cudaStreamCreate(handle *), cudaStreamDestroy(handle), cudaStreamSynchronize(handle), cudaEventCreate(handle *), cudaEventSynchronize(handle), cudaMemset(void *, int, size_t), cudaDeviceSynchronize(void), cudaDeviceReset(void);
int cuInit(unsigned), cuCtxGetCurrent(handle *), cuModuleLoadData(handle *, const void *), cuModuleUnload(handle), cuModuleGetFunction(handle *, handle, const char *);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
int cuStreamCreate(handle *, unsigned), cuStreamSynchronize(handle), cuStreamDestroy_v2(handle), cuStreamWaitEvent(handle, handle, unsigned), cuEventRecord(handle, handle), cuMemFree_v2(uint64_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);

int cudaLibraryLoadData(handle *, const void *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryGetKernel(handle *, handle, const char *), cudaLibraryUnload(handle);
int cudaGetFuncBySymbol(handle *, const void *), cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, handle), cuFuncGetName(const char **, handle);
int cuOccupancyAvailableDynamicSMemPerBlock(size_t *, handle, int, int), cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, const void *, int, int);
int cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaGraphInstantiateWithFlags(handle *, handle, unsigned long long), cudaGraphLaunch(handle, handle);
int cuMemsetD32Async(uint64_t, unsigned, size_t, handle), cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, handle), cuLaunchHostFunc(handle, void (*)(void *), void *);

static void result(const char *what, int right) { printf("%s: %s\n", what, right ? "right" : "WRONG"); }

static handle add;

static int launch(handle stream, int *p, int n) {
	void *args[] = {&p, &n};
	return cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL);
}

// Kernels of the runtime that the driver launches, and the other way round.
static void functions(const char *ptx, int *p) {
	handle library, kernel, function;
	const char *name;
	dim3 one = {1, 1, 1}, threads = {32, 1, 1};
	int n = 1, got[32];
	void *args[] = {&p, &n};
	MUST(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	MUST(cudaLibraryGetKernel(&kernel, library, "add"));
	MUST(cudaGetFuncBySymbol(&function, kernel));
	MUST(cuFuncGetName(&name, function));
	result("name of the runtime's kernel", name[0] == 'a' && name[3] == 0);
	size_t sizes[] = {0, 1};
	MUST(cuOccupancyAvailableDynamicSMemPerBlock(&sizes[0], function, 2, 32));
	MUST(cudaOccupancyAvailableDynamicSMemPerBlock(&sizes[1], kernel, 2, 32));
	result("shared memory of two blocks", sizes[0] > 0 && sizes[0] == sizes[1]);
	MUST(cudaMemset(p, 0, 128));
	MUST(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL));
	MUST(cudaLaunchKernel(function, one, threads, args, 0, NULL));
	MUST(cudaMemcpy(got, p, 128, FROM_DEVICE));
	result("the runtime's kernel", got[0] == 2 && got[31] == 2);
	MUST(cudaLibraryUnload(library));
}

static void call(void *data) { (void)data; }

// Operations of the driver in a stream that the runtime captures.
static void graph(handle stream, int *p) {
	handle graph, executable;
	int got[32];
	MUST(cudaMemset(p, 0, 128));
	MUST(cudaStreamBeginCapture(stream, 0));
	MUST(cuMemsetD32Async((uint64_t)p, 4, 32, stream));
	MUST(launch(stream, p, 5));
	result("not captured", cuMemcpyDtoHAsync_v2(got, (uint64_t)p, 128, stream) == CAPTURE_UNSUPPORTED && cuLaunchHostFunc(stream, call, NULL) == CAPTURE_UNSUPPORTED);
	MUST(cudaStreamEndCapture(stream, &graph));
	MUST(cudaMemcpy(got, p, 128, FROM_DEVICE));
	result("before the graph", got[0] == 0);
	MUST(cudaGraphInstantiateWithFlags(&executable, graph, 0));
	MUST(cudaGraphLaunch(executable, stream));
	MUST(cudaStreamSynchronize(stream));
	MUST(cudaMemcpy(got, p, 128, FROM_DEVICE));
	result("the graph", got[0] == 9 && got[31] == 9);
}

int main(int argc, char **argv) {
	static char ptx[1 << 14];
	handle context, module, stream, other, event;
	int *p, *managed, got[32];
	FILE *f = fopen(argv[argc - 1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	MUST(cudaMalloc(&p, 128));
	MUST(cudaMallocManaged(&managed, 128, 1));
	MUST(cudaMemset(p, 0, 128));
	MUST(cuInit(0));
	MUST(cuCtxGetCurrent(&context));
	result("the runtime's context", context != NULL);
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&add, module, "add"));
	MUST(cudaStreamCreate(&stream));
	MUST(cuStreamCreate(&other, 0));
	MUST(cudaEventCreate(&event));
	managed[4] = 30;
	MUST(launch(stream, managed, 5));
	MUST(cuStreamSynchronize(stream));
	result("managed memory", managed[4] == 35);
	MUST(launch(stream, p, 5));
	MUST(cuEventRecord(event, stream));
	MUST(cuStreamWaitEvent(other, event, 0));
	MUST(launch(other, p, 6));
	MUST(cudaMemcpyAsync(got, p, 128, FROM_DEVICE, other));
	MUST(cudaStreamSynchronize(other));
	result("memory of the runtime", got[0] == 11);
	functions(ptx, p);
	graph(stream, p);
	MUST(cudaMemset(p, 0, 128));
	MUST(launch(NULL, p, 11));
	MUST(launch(stream, p, 1)); // not ordered with the next one
	MUST(launch(other, p, 1));
	MUST(cudaDeviceSynchronize());
	MUST(cuMemcpyDtoH_v2(got, (uint64_t)p, 128));
	result("both streams", got[31] == 13);
	MUST(cuStreamDestroy_v2(stream));
	MUST(cudaStreamDestroy(other));
	MUST(cuMemFree_v2((uint64_t)p));
	MUST(cudaFree(managed));
	MUST(cudaDeviceReset());
	result("kernel of before the reset", launch(NULL, p, 1) == INVALID_HANDLE);
	result("module of before the reset", cuModuleUnload(module) == INVALID_HANDLE);
	return 0;
}
