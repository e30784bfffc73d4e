// A program whose calls fail. A comment names the error that is reported of the line, and says whether it is handled; errors of
// other lines are answers.
#include "check.h"

#include <stdint.h>

typedef void *handle;
int cudaMalloc(void *, size_t), cudaFree(void *), cudaFreeAsync(void *, handle), cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyAsync(void *, const void *, size_t, int, handle), cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, int, handle);
int cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, handle), cudaSetDevice(int), cudaMemset(void *, int, size_t), cudaGetLastError(void), cudaPeekAtLastError(void), cudaDeviceSynchronize(void), cudaPointerGetAttributes(void *, const void *);
int cudaStreamCreate(handle *), cudaStreamDestroy(handle), cudaStreamQuery(handle), cudaEventCreate(handle *), cudaEventDestroy(handle), cudaEventElapsedTime(float *, handle, handle), cudaHostUnregister(void *), cudaMemPoolExportPointer(void *, void *);
int cuInit(unsigned), cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemFreeAsync(uint64_t, handle), cuPointerGetAttribute(void *, int, uint64_t), cuModuleLoadData(handle *, const void *), cuModuleGetFunction(handle *, handle, const char *), cuDeviceGet(int *, int);

enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 3 };

static void runtime(void) {
	char *p, host[64];
	handle stream, event;
	float ms;
	cudaMalloc(&p, (size_t)1 << 60); // cudaErrorMemoryAllocation
	MUST(cudaMalloc(&p, 64));
	cudaMemcpy(host, p + 32, 64, TO_HOST); // cudaErrorInvalidValue
	cudaMemcpy(p, NULL, 64, TO_DEVICE); // cudaErrorInvalidValue
	cudaMemcpy(p, host, 64, 99); // cudaErrorInvalidMemcpyDirection
	for (int i = 0; i < 3; i++)
		cudaFree(p + 1); // cudaErrorInvalidValue
	cudaSetDevice(7); // cudaErrorInvalidDevice
	cudaMemcpyPeerAsync(p, 0, p, 3, 8, NULL); // cudaErrorInvalidDevice
	cudaMemcpyPeerAsync(p, 0, p, 0, 800, NULL); // cudaErrorInvalidValue
	MUST(cudaStreamCreate(&stream));
	MUST(cudaStreamQuery(stream));
	MUST(cudaEventCreate(&event));
	cudaEventElapsedTime(&ms, event, event); // cudaErrorInvalidResourceHandle
	cudaMemcpy2DAsync(host, 8, p, 8, 9, 2, TO_HOST, stream); // cudaErrorInvalidPitchValue handled
	cudaGetLastError();
}

static void handled(void) {
	char *p;
	cudaFree((void *)16); // cudaErrorInvalidValue handled
	equal("the error that is read", cudaGetLastError(), 1);
	cudaHostUnregister(&p); // cudaErrorHostMemoryNotRegistered handled
	equal("the error that is looked at", cudaPeekAtLastError(), 713);
	int other = cudaSetDevice(99); // cudaErrorInvalidDevice handled
	if (other != 101 || cudaGetLastError() != 101)
		exit(1);
	cudaFree((void *)32); // cudaErrorInvalidValue
	cudaMemset((void *)64, 0, 4); // cudaErrorInvalidValue handled
	equal("the last of two errors", cudaGetLastError(), 1);
	equal("no error", cudaGetLastError(), 0);
	for (int i = 0; i < 4; i++) {
		cudaFree((void *)48); // cudaErrorInvalidValue, of four two handled
		if (i % 2 == 0)
			cudaGetLastError();
	}
}

static void driver(void) {
	uint64_t p, type;
	handle module, function;
	int device;
	MUST(cuInit(0));
	cuDeviceGet(&device, 5); // CUDA_ERROR_INVALID_DEVICE
	MUST(cuMemAlloc_v2(&p, 64));
	cuMemFree_v2(p + 8); // CUDA_ERROR_INVALID_VALUE
	cuMemFreeAsync(p + 8, NULL); // CUDA_ERROR_INVALID_VALUE
	equal("no pointer of the device", cuPointerGetAttribute(&type, 2, 4096), 1);
	cuModuleLoadData(&module, "no PTX"); // CUDA_ERROR_INVALID_PTX
	MUST(cuModuleLoadData(&module, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"));
	equal("no such kernel", cuModuleGetFunction(&function, module, "other"), 500);
	MUST(cuModuleGetFunction(&function, module, "k"));
}

int main(void) {
	driver();
	handled();
	runtime();
	equal("not supported", cudaMemPoolExportPointer(NULL, NULL), 801);
	cudaFree((void *)16); // cudaErrorInvalidValue
	return 0;
}
