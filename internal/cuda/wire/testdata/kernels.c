// A program that asks libraries and modules of both APIs for their kernels, and kernels for their attributes. Each line that it
// prints says what is right.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
struct attribute { int id; char pad[4]; union { char bytes[64]; unsigned extent[3]; } value; };
struct config { unsigned grid[3], block[3], shared; handle stream; struct attribute *attributes; unsigned count; };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuCtxSynchronize(void), cuMemAlloc_v2(uint64_t *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD8_v2(uint64_t, unsigned char, size_t);
int cuLibraryLoadFromFile(handle *, const char *, int *, void **, unsigned, int *, void **, unsigned), cuLibraryUnload(handle), cuLibraryGetKernel(handle *, handle, const char *), cuLibraryGetModule(handle *, handle), cuLibraryGetKernelCount(unsigned *, handle), cuLibraryEnumerateKernels(handle *, unsigned, handle);
int cuModuleGetFunctionCount(unsigned *, handle), cuModuleEnumerateFunctions(handle *, unsigned, handle), cuModuleGetFunction(handle *, handle, const char *), cuFuncGetName(const char **, handle);
int cuKernelGetFunction(handle *, handle), cuKernelGetLibrary(handle *, handle), cuKernelGetName(const char **, handle), cuKernelGetAttribute(int *, int, handle, int), cuKernelSetAttribute(int, int, handle, int), cuKernelSetCacheConfig(handle, int, int), cuKernelGetParamInfo(handle, size_t, size_t *, size_t *), cuKernelGetParamCount(handle, size_t *);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **), cuOccupancyMaxActiveClusters(int *, handle, const struct config *), cuOccupancyMaxPotentialClusterSize(int *, handle, const struct config *);
int cudaLibraryLoadFromFile(handle *, const char *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryGetKernelCount(unsigned *, handle), cudaLibraryEnumerateKernels(handle *, unsigned, handle), cudaFuncGetName(const char **, handle);
int cuDeviceGetGraphMemAttribute(int, int, uint64_t *), cuDeviceSetGraphMemAttribute(int, int, uint64_t *), cuDeviceGraphMemTrim(int);

enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_HANDLE = 400, MAX_THREADS = 0, MAX_DYNAMIC_SHARED = 8, N = 32 };

static void driver(const char *path) {
	handle library, kernel, add, function, module, same, list[3] = {0};
	const char *name;
	unsigned count = 0, words[N], more = 3;
	int value, cluster;
	size_t offset, size;
	uint64_t data;
	MUST(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
	equal("how many kernels", cuLibraryGetKernelCount(&count, library) == 0 && count == 2, 1);
	equal("the first kernel", cuLibraryEnumerateKernels(list, 1, library) == 0 && list[1] == NULL && cuKernelGetName(&name, list[0]) == 0 && strcmp(name, "add") == 0, 1);
	equal("all kernels", cuLibraryEnumerateKernels(list, 3, library) == 0 && list[2] == NULL && cuKernelGetName(&name, list[1]) == 0 && strcmp(name, "racy") == 0, 1);
	MUST(cuLibraryGetKernel(&kernel, library, "racy"));
	MUST(cuLibraryGetKernel(&add, library, "add"));
	equal("a kernel's handle", kernel == list[1] && add == list[0], 1);
	equal("its library", cuKernelGetLibrary(&same, kernel) == 0 && same == library, 1);
	equal("its function", cuKernelGetFunction(&function, kernel) == 0 && cuFuncGetName(&name, function) == 0 && strcmp(name, "racy") == 0, 1);
	equal("an attribute", cuKernelGetAttribute(&value, MAX_THREADS, kernel, 0) == 0 && value == 64, 1);
	equal("an attribute on another device", cuKernelGetAttribute(&value, MAX_THREADS, kernel, 1), INVALID_DEVICE);
	equal("an attribute that changes", cuKernelSetAttribute(MAX_DYNAMIC_SHARED, 1024, kernel, 0), 0);
	equal("caches", cuKernelSetCacheConfig(kernel, 1, 0), 0);
	equal("parameters", cuKernelGetParamCount(add, &size) == 0 && size == 2 && cuKernelGetParamInfo(add, 1, &offset, &size) == 0 && offset == 8 && size == 4, 1);
	equal("a parameter that it lacks", cuKernelGetParamInfo(add, 2, &offset, &size), INVALID_VALUE);
	MUST(cuMemAlloc_v2(&data, sizeof words));
	MUST(cuMemsetD8_v2(data, 0, sizeof words));
	void *args[] = {&data, &more};
	equal("a launch of a kernel of a library", cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, NULL, args, NULL) == 0 && cuCtxSynchronize() == 0 && cuMemcpyDtoH_v2(words, data, sizeof words) == 0 && words[0] == 3 && words[N - 1] == 3, 1);
	MUST(cuLibraryGetModule(&module, library));
	equal("functions of the module", cuModuleGetFunctionCount(&count, module) == 0 && count == 2 && cuModuleEnumerateFunctions(list, 2, module) == 0 && cuModuleGetFunction(&same, module, "racy") == 0 && list[1] == same, 1);
	struct attribute of_two = {.id = 4, .value.extent = {2, 1, 1}};
	struct config c = {{8, 1, 1}, {N, 1, 1}, 0, NULL, &of_two, 1};
	equal("clusters of two", cuOccupancyMaxActiveClusters(&cluster, function, &c) == 0 && cluster > 0, 1);
	equal("the largest cluster", cuOccupancyMaxPotentialClusterSize(&cluster, function, &c) == 0 && cluster == 8, 1);
	equal("the end", cuLibraryUnload(library) == 0 && cuKernelGetLibrary(&same, NULL) == INVALID_HANDLE, 1);
}

int main(int argc, char **argv) {
	handle context, library, list[2];
	unsigned count;
	const char *name;
	uint64_t bytes = 1, zero = 0;
	(void)argc;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	driver(argv[1]);
	MUST(cudaLibraryLoadFromFile(&library, argv[1], NULL, NULL, 0, NULL, NULL, 0));
	equal("kernels of the runtime API", cudaLibraryGetKernelCount(&count, library) == 0 && count == 2 && cudaLibraryEnumerateKernels(list, 2, library) == 0 && cudaFuncGetName(&name, list[1]) == 0 && strcmp(name, "racy") == 0, 1);
	equal("memory of graphs", cuDeviceGetGraphMemAttribute(0, 0, &bytes) == 0 && bytes == 0 && cuDeviceSetGraphMemAttribute(0, 1, &zero) == 0 && cuDeviceSetGraphMemAttribute(0, 0, &zero) == INVALID_VALUE && cuDeviceGraphMemTrim(0) == 0, 1);
	return 0;
}
