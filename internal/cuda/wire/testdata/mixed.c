// A program that uses both APIs on one device: memory, streams and events of one are used by the other.
// Each line that it prints says what is right. Two kernels in streams of the two are not ordered.
#include "check.h"

#include <stdint.h>

typedef void *handle;
enum { TO_DEVICE = 1, FROM_DEVICE = 2, INVALID_HANDLE = 400 };

int cudaMalloc(void *, size_t), cudaMallocManaged(void *, size_t, unsigned), cudaFree(void *), cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyAsync(void *, const void *, size_t, int, handle);
int cudaStreamCreate(handle *), cudaStreamDestroy(handle), cudaStreamSynchronize(handle), cudaEventCreate(handle *), cudaEventSynchronize(handle), cudaMemset(void *, int, size_t), cudaDeviceSynchronize(void), cudaDeviceReset(void);
int cuInit(unsigned), cuCtxGetCurrent(handle *), cuModuleLoadData(handle *, const void *), cuModuleUnload(handle), cuModuleGetFunction(handle *, handle, const char *);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
int cuStreamCreate(handle *, unsigned), cuStreamSynchronize(handle), cuStreamDestroy_v2(handle), cuStreamWaitEvent(handle, handle, unsigned), cuEventRecord(handle, handle), cuMemFree_v2(uint64_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);

static void result(const char *what, int right) { printf("%s: %s\n", what, right ? "right" : "WRONG"); }

static handle add;

static int launch(handle stream, int *p, int n) {
	void *args[] = {&p, &n};
	return cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, stream, args, NULL);
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
