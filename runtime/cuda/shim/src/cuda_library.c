// Libraries of the driver API: modules that do not belong to a context. There is one device, so that a
// library is its module and a kernel its function.
#include "cuda.h"

typedef struct module *CUlibrary;
typedef struct function *CUkernel;

CUresult cuModuleLoad(CUmodule *m, const char *path);
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *size, CUmodule m, const char *name);

EXPORT CUresult cuLibraryLoadData(CUlibrary *l, const void *image, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)more, (void)more_values, (void)more_count;
	return cuModuleLoadDataEx(l, image, count, options, values);
}

EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *l, const char *path, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	return cuModuleLoad(l, path);
}

EXPORT CUresult cuLibraryUnload(CUlibrary l) { return cuModuleUnload(l); }

EXPORT CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name) { return cuModuleGetFunction(k, l, name); }

EXPORT CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l) {
	*m = l;
	return l == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name) { return cuModuleGetGlobal_v2(p, size, l, name); }

EXPORT CUresult cuKernelGetFunction(CUfunction *f, CUkernel k) {
	*f = k;
	return k == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
