// Functions of the driver API that applications of the runtime API ask for by name.
#define _GNU_SOURCE
#include "cudart.h"

#include <dlfcn.h>

// How the search went (cudaDriverEntryPointQueryResult).
enum { FOUND, NOT_FOUND };

void *driver_function(const char *name) {
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY); // which stays
	return driver == NULL ? NULL : dlsym(driver, name);
}

static cudaError_t entry_point(const char *name, void **function, int version, unsigned long long flags, int *status) {
	if (name == NULL || function == NULL)
		return failed(cudaErrorInvalidValue);
	int (*find)(const char *, void **, int, uint64_t) = driver_function("cuGetProcAddress");
	*function = NULL;
	int found = find != NULL && find(name, function, version, flags) == cudaSuccess;
	if (status != NULL)
		*status = found ? FOUND : NOT_FOUND;
	return failed(found || status != NULL ? cudaSuccess : cudaErrorSymbolNotFound);
}

enum { OWN_VERSION = CUDA_MAJOR * 1000 };

#if CUDA_MAJOR >= 12
EXPORT cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags, int *status) { return entry_point(name, function, OWN_VERSION, flags, status); }
PTSZ(cudaError_t, cudaGetDriverEntryPoint, (const char *, void **, unsigned long long, int *))
#else
EXPORT cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags) { return entry_point(name, function, OWN_VERSION, flags, NULL); }
PTSZ(cudaError_t, cudaGetDriverEntryPoint, (const char *, void **, unsigned long long))
#endif

EXPORT cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long long flags, int *status) { return entry_point(name, function, (int)version, flags, status); }
PTSZ(cudaError_t, cudaGetDriverEntryPointByVersion, (const char *, void **, unsigned, unsigned long long, int *))
