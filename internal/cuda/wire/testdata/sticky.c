// A program whose kernel uses an illegal address: from the call on that says so, all calls return the error until a reset. Each line
// that it prints says what is right.
#include "check.h"

typedef struct { unsigned x, y, z; } dim3;
int cudaLibraryLoadFromFile(void **, const char *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryGetKernel(void **, void *, const char *);
int cudaMalloc(void *, size_t), cudaMallocHost(void *, size_t), cudaFree(void *), cudaFreeHost(void *), cudaMemcpy(void *, const void *, size_t, int), cudaMemset(void *, int, size_t), cudaMemGetInfo(size_t *, size_t *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *), cudaDeviceSynchronize(void), cudaDeviceReset(void), cudaGetLastError(void), cudaPeekAtLastError(void), cudaGetDeviceCount(int *), cudaDeviceGetAttribute(int *, int, int);
int cudaStreamCreate(void *), cudaStreamDestroy(void *), cudaStreamSynchronize(void *), cudaEventCreate(void *), cudaEventRecord(void *, void *);
int cuMemAlloc_v2(unsigned long long *, size_t), cuCtxSynchronize(void);

enum { ILLEGAL_ADDRESS = 700, N = 32 };

static int launch(void *kernel, void *data, void *stream) {
	unsigned more = 2;
	void *args[] = {&data, &more};
	return cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){N, 1, 1}, args, 0, stream);
}

int main(int argc, char **argv) {
	void *library, *kernel, *data, *pinned, *stream, *other;
	size_t room, all;
	unsigned long long address;
	int value, words[N];
	(void)argc;
	MUST(cudaLibraryLoadFromFile(&library, argv[1], NULL, NULL, 0, NULL, NULL, 0));
	MUST(cudaLibraryGetKernel(&kernel, library, "add"));
	MUST(cudaMalloc(&data, sizeof words));
	MUST(cudaMallocHost(&pinned, sizeof words));
	MUST(cudaMemset(data, 0, sizeof words));
	MUST(cudaStreamCreate(&stream));
	equal("a launch with an illegal address", launch(kernel, (void *)64, stream), 0);
	equal("a launch behind it", launch(kernel, data, stream), 0);
	equal("what waits for them", cudaStreamSynchronize(stream), ILLEGAL_ADDRESS);
	equal("the last error", cudaGetLastError() == ILLEGAL_ADDRESS && cudaGetLastError() == ILLEGAL_ADDRESS && cudaPeekAtLastError() == ILLEGAL_ADDRESS, 1);
	equal("cudaMalloc", cudaMalloc(&other, 4), ILLEGAL_ADDRESS);
	equal("cuMemAlloc", cuMemAlloc_v2(&address, 4), ILLEGAL_ADDRESS);
	equal("cudaMemcpy", cudaMemcpy(words, data, sizeof words, 2), ILLEGAL_ADDRESS);
	equal("cudaMemset", cudaMemset(data, 0, sizeof words), ILLEGAL_ADDRESS);
	equal("cudaMemGetInfo", cudaMemGetInfo(&room, &all), ILLEGAL_ADDRESS);
	equal("a launch", launch(kernel, data, NULL), ILLEGAL_ADDRESS);
	equal("waits", cudaDeviceSynchronize() == ILLEGAL_ADDRESS && cuCtxSynchronize() == ILLEGAL_ADDRESS, 1);
	equal("a stream", cudaStreamCreate(&other), ILLEGAL_ADDRESS);
	equal("an event", cudaEventCreate(&other), ILLEGAL_ADDRESS);
	equal("an attribute of the device", cudaDeviceGetAttribute(&value, 75, 0), 0);
	equal("cudaFree", cudaFree(data), ILLEGAL_ADDRESS);
	equal("cudaFreeHost", cudaFreeHost(pinned), ILLEGAL_ADDRESS);
	equal("a reset", cudaDeviceReset(), 0);
	equal("the last error after it", cudaGetLastError() == ILLEGAL_ADDRESS && cudaGetLastError() == 0, 1);
	equal("cudaMalloc after it", cudaMalloc(&data, sizeof words), 0);
	equal("cudaFree after it", cudaFree(data), 0);
	return 0;
}
