// Libraries of the driver API: modules that do not belong to a context. There is one device, so that a library has one module
// and its kernels are functions. Their handles differ from those of the module and of its functions, as in NVIDIA's driver,
// which ends by a segmentation fault when it is given one for the other.
#include "cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct library {
	struct module *module;
	struct function *kernels;
	struct library *next;
};
typedef struct library *CUlibrary;
typedef struct function *CUkernel;

// All libraries, so that those of kernels are found.
static struct library *libraries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult cuModuleLoad(CUmodule *m, const char *path);
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *size, CUmodule m, const char *name);

// loaded makes a library of a module.
static CUresult loaded(CUresult error, struct module *m, CUlibrary *l) {
	if (error != CUDA_SUCCESS)
		return error;
	if ((*l = calloc(1, sizeof **l)) == NULL) {
		cuModuleUnload(m);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	(*l)->module = m;
	pthread_mutex_lock(&lock);
	(*l)->next = libraries, libraries = *l;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryLoadData(CUlibrary *l, const void *image, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)more, (void)more_values, (void)more_count;
	CUmodule m = NULL;
	CUresult error = cuModuleLoadDataEx(&m, image, count, options, values);
	return failed(loaded(error, m, l));
}

EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *l, const char *path, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	CUmodule m = NULL;
	CUresult error = cuModuleLoad(&m, path);
	return failed(loaded(error, m, l));
}

EXPORT CUresult cuLibraryUnload(CUlibrary l) {
	if (l == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	pthread_mutex_lock(&lock);
	for (struct library **p = &libraries; *p != NULL; p = &(*p)->next)
		if (*p == l) {
			*p = l->next;
			break;
		}
	pthread_mutex_unlock(&lock);
	CUresult error = cuModuleUnload(l->module);
	for (struct function *k = l->kernels, *next; k != NULL; k = next)
		next = k->next, free(k);
	free(l);
	return failed(error);
}

EXPORT CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name) {
	if (l == NULL || name == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	for (*k = l->kernels; *k != NULL; *k = (*k)->next)
		if (strcmp((*k)->name, name) == 0)
			return CUDA_SUCCESS;
	CUfunction f;
	CUresult error = cuModuleGetFunction(&f, l->module, name);
	if (error != CUDA_SUCCESS)
		return failed(error);
	if ((*k = malloc(sizeof **k + strlen(name) + 1)) == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(*k, f, sizeof **k + strlen(name) + 1);
	(*k)->params = NULL, (*k)->params_size = 0;
	(*k)->next = l->kernels, l->kernels = *k;
	return CUDA_SUCCESS;
}

// listing is an array of an application's for the kernels of a library or the functions of a module.
struct listing {
	CUlibrary library;
	CUmodule module;
	struct function **list;
	unsigned room, count;
};

static int listed(const char *name, void *data) {
	struct listing *l = data;
	unsigned i = l->count++;
	if (i >= l->room)
		return CUDA_SUCCESS;
	return l->library != NULL ? cuLibraryGetKernel(&l->list[i], l->library, name) : cuModuleGetFunction(&l->list[i], l->module, name);
}

static CUresult list_kernels(struct listing *l, CUmodule m) {
	return m == NULL ? CUDA_ERROR_INVALID_HANDLE : wire_kernels(module_handle(m), listed, l);
}

EXPORT CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule m) {
	struct listing l = {.module = m};
	CUresult error = list_kernels(&l, m);
	*count = l.count;
	return failed(error);
}

EXPORT CUresult cuModuleEnumerateFunctions(CUfunction *list, unsigned room, CUmodule m) {
	return failed(list_kernels(&(struct listing){.module = m, .list = list, .room = room}, m));
}

EXPORT CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary l) {
	return l == NULL ? failed(CUDA_ERROR_INVALID_HANDLE) : cuModuleGetFunctionCount(count, l->module);
}

EXPORT CUresult cuLibraryEnumerateKernels(CUkernel *list, unsigned room, CUlibrary l) {
	return failed(list_kernels(&(struct listing){.library = l, .list = list, .room = room}, l == NULL ? NULL : l->module));
}

EXPORT CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l) {
	*m = l == NULL ? NULL : l->module;
	return failed(l == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name) {
	return failed(l == NULL ? CUDA_ERROR_INVALID_HANDLE : cuModuleGetGlobal_v2(p, size, l->module, name));
}

EXPORT CUresult cuKernelGetFunction(CUfunction *f, CUkernel k) { return failed(k == NULL ? CUDA_ERROR_INVALID_HANDLE : cuModuleGetFunction(f, k->module, k->name)); }

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuFuncGetParamCount(CUfunction f, size_t *count);
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size);

// OF_KERNEL defines a function of kernels by that of functions.
#define OF_KERNEL(name, params, call)                         \
	EXPORT CUresult name params {                             \
		CUfunction f = NULL;                                  \
		CUresult error = cuKernelGetFunction(&f, k);          \
		return failed(error == CUDA_SUCCESS ? call : error);  \
	}

static CUresult on_device(CUdevice device, CUresult error) { return device == 0 ? error : CUDA_ERROR_INVALID_DEVICE; }

OF_KERNEL(cuKernelGetAttribute, (int *value, int attribute, CUkernel k, CUdevice device), on_device(device, cuFuncGetAttribute(value, attribute, f)))
OF_KERNEL(cuKernelSetAttribute, (int attribute, int value, CUkernel k, CUdevice device), on_device(device, cuFuncSetAttribute(f, attribute, value)))
OF_KERNEL(cuKernelSetCacheConfig, (CUkernel k, int config, CUdevice device), ((void)config, on_device(device, CUDA_SUCCESS)))
OF_KERNEL(cuKernelGetParamCount, (CUkernel k, size_t *count), cuFuncGetParamCount(f, count))
OF_KERNEL(cuKernelGetParamInfo, (CUkernel k, size_t index, size_t *offset, size_t *size), cuFuncGetParamInfo(f, index, offset, size))

EXPORT CUresult cuKernelGetName(const char **name, CUkernel k) {
	*name = k == NULL ? NULL : k->name;
	return failed(k == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuKernelGetLibrary(CUlibrary *l, CUkernel k) {
	*l = NULL;
	pthread_mutex_lock(&lock);
	for (struct library *p = libraries; p != NULL && k != NULL; p = p->next)
		if (p->module == k->module)
			*l = p;
	pthread_mutex_unlock(&lock);
	return failed(*l == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name) {
	uint64_t address = 0;
	CUresult error = l == NULL ? CUDA_ERROR_INVALID_HANDLE : cuModuleGetGlobal_v2(NULL, size, l->module, name);
	if (error == CUDA_SUCCESS)
		error = wire_managed(module_handle(l->module), name, &address);
	if (error == CUDA_SUCCESS && p != NULL)
		*p = address;
	return failed(error);
}
