// What CUDA 13 added to the runtime API: kernels and variables of libraries, what kernels are called and take, copies in batches;
// and what NVIDIA's management library says of the device.
#include "check.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
	unsigned x, y, z;
} dim3;
int cudaInitDevice(int, unsigned, unsigned), cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int);
int cudaLibraryLoadFromFile(void **, const char *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryUnload(void *);
int cudaLibraryGetKernel(const void **, void *, const char *), cudaLibraryGetGlobal(void **, size_t *, void *, const char *);
int cudaFuncGetName(const char **, const void *), cudaFuncGetParamInfo(const void *, size_t, size_t *, size_t *), cudaFuncGetParamCount(const void *, size_t *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *), cudaDeviceSynchronize(void);
int cudaMemcpyBatchAsync(void *const *, const void *const *, const size_t *, size_t, void *, size_t *, size_t, void *);
int cudaStreamGetDevice(void *, int *), cudaDriverGetVersion(int *), cudaRuntimeGetVersion(int *);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);
int cuCtxGetDevice(int *), cuCtxGetDevice_v2(int *, void *), cuCtxCreate_v2(void **, unsigned, int), cuCtxCreate_v3(void **, void *, int, unsigned, int), cuCtxCreate_v4(void **, void *, unsigned, int);
int nvmlInit_v2(void), nvmlDeviceGetCount_v2(unsigned *), nvmlDeviceGetHandleByIndex_v2(unsigned, void **), nvmlDeviceGetUUID(void *, char *, unsigned);
int nvmlDeviceGetHandleByUUID(const char *, void **), nvmlDeviceGetMemoryInfo(void *, unsigned long long *), nvmlDeviceGetPowerUsage(void *, unsigned *), nvmlShutdown(void);
int nvmlDeviceGetClockInfo(void *, int, unsigned *), nvmlDeviceGetMaxClockInfo(void *, int, unsigned *), nvmlDeviceGetMemoryBusWidth(void *, unsigned *);

enum { N = 100, TO_DEVICE = 1, TO_HOST = 2 };

static void libraries(const char *path) {
	void *library, *data, *global = NULL;
	const void *kernel, *none;
	const char *name;
	size_t offset, size, count;
	unsigned words[N] = {0}, more = 5;
	equal("a library of a file", cudaLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0) == 0, 1);
	equal("its kernel", cudaLibraryGetKernel(&kernel, library, "add") == 0, 1);
	equal("a kernel that it lacks", cudaLibraryGetKernel(&none, library, "nosuch") == 500, 1);
	equal("a variable that it lacks", cudaLibraryGetGlobal(&global, &size, library, "nosuch") == 500, 1);
	equal("the kernel's name", cudaFuncGetName(&name, kernel) == 0 && strcmp(name, "add") == 0, 1);
	equal("how many parameters it takes", cudaFuncGetParamCount(kernel, &count) == 0 && count == 2, 1);
	equal("its second parameter", cudaFuncGetParamInfo(kernel, 1, &offset, &size) == 0 && offset == 8 && size == 4, 1);
	equal("a parameter that it lacks", cudaFuncGetParamInfo(kernel, 2, &offset, &size) == 1, 1);
	equal("memory", cudaMalloc(&data, sizeof words) == 0 && cudaMemcpy(data, words, sizeof words, TO_DEVICE) == 0, 1);
	void *args[] = {&data, &more};
	equal("a launch", cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){N, 1, 1}, args, 0, NULL) == 0, 1);
	void *to[] = {&words[0], &words[50]};
	const void *from[] = {data, (char *)data + 200};
	size_t sizes[] = {200, 200};
	equal("a batch of copies", cudaMemcpyBatchAsync(to, from, sizes, 2, NULL, NULL, 0, NULL) == 0 && cudaDeviceSynchronize() == 0, 1);
	equal("what the kernel computed", words[0] == 5 && words[49] == 5 && words[50] == 5 && words[99] == 5, 1);
	equal("a kernel of a library that is gone", cudaLibraryUnload(library) == 0 && cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){N, 1, 1}, args, 0, NULL) == 98, 1);
}

// The function that a name means depends on the version that asks.
static void entries(void) {
	void *f;
	int status;
	equal("cuCtxGetDevice of CUDA 12.8", cuGetProcAddress_v2("cuCtxGetDevice", &f, 12080, 0, &status) == 0 && f == (void *)cuCtxGetDevice, 1);
	equal("cuCtxGetDevice of CUDA 13", cuGetProcAddress_v2("cuCtxGetDevice", &f, 13000, 0, &status) == 0 && f == (void *)cuCtxGetDevice_v2, 1);
	equal("cuCtxCreate of CUDA 10", cuGetProcAddress_v2("cuCtxCreate", &f, 10000, 0, &status) == 0 && f == (void *)cuCtxCreate_v2, 1);
	equal("cuCtxCreate of CUDA 12", cuGetProcAddress_v2("cuCtxCreate", &f, 12000, 0, &status) == 0 && f == (void *)cuCtxCreate_v3, 1);
	equal("cuCtxCreate of CUDA 13", cuGetProcAddress_v2("cuCtxCreate", &f, 13000, 0, &status) == 0 && f == (void *)cuCtxCreate_v4, 1);
	equal("a function that there is not", cuGetProcAddress_v2("cuNoSuch", &f, 13000, 0, &status) != 0 && f == NULL && status == 1, 1);
}

static void management(void) {
	unsigned count, power, clock = 0, most = 1, width = 0;
	void *handle, *same;
	char id[96];
	unsigned long long memory[3];
	equal("one device", nvmlInit_v2() == 0 && nvmlDeviceGetCount_v2(&count) == 0 && count == 1, 1);
	equal("its identity", nvmlDeviceGetHandleByIndex_v2(0, &handle) == 0 && nvmlDeviceGetUUID(handle, id, sizeof id) == 0, 1);
	equal("the device of an identity", nvmlDeviceGetHandleByUUID(id, &same) == 0 && same == handle, 1);
	equal("its memory", nvmlDeviceGetMemoryInfo(handle, memory) == 0 && memory[0] == memory[1] + memory[2] && memory[2] >= 4 * N, 1);
	equal("the clock of its memory", nvmlDeviceGetClockInfo(handle, 2, &clock) == 0 && nvmlDeviceGetMaxClockInfo(handle, 2, &most) == 0 && clock == most && clock > 0, 1);
	equal("the clock that kernels read", nvmlDeviceGetClockInfo(handle, 1, &clock) == 0 ? clock : 0, 10);
	equal("the width of its bus", nvmlDeviceGetMemoryBusWidth(handle, &width) == 0 && width > 0 && nvmlDeviceGetClockInfo(handle, 4, &clock) == 2, 1);
	equal("what is not supported", nvmlDeviceGetPowerUsage(handle, &power) == 3, 1);
	equal("the end", nvmlShutdown() == 0, 1);
}

int main(int argc, char **argv) {
	int device = 1, driver = 0, runtime = 0;
	(void)argc;
	equal("the device", cudaInitDevice(0, 0, 0) == 0 && cudaStreamGetDevice(NULL, &device) == 0 && device == 0, 1);
	equal("versions", cudaDriverGetVersion(&driver) == 0 && cudaRuntimeGetVersion(&runtime) == 0 && driver >= runtime && runtime / 1000 == 13, 1);
	libraries(argv[1]);
	entries();
	management();
	return 0;
}
