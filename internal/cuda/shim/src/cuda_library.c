// Libraries of the driver API: modules that do not belong to a context. A library has a module on each device that uses it. The
// handles of its kernels differ from those of the module and of its functions, as in NVIDIA's driver,
// which ends by a segmentation fault when it is given one for the other.
#include "cuda.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct library {
	void *image;
	struct module *on[WIRE_DEVICES]; // null before the first use
	struct function *kernels;
	struct library *next;
};
typedef struct library *CUlibrary;
typedef struct function *CUkernel;

// All libraries, so that those of kernels are found.
static struct library *libraries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *size, CUmodule m, const char *name);

// module_of is the module of a library on the current device.
static CUresult module_of(CUlibrary l, CUmodule *m) {
	if (l == NULL)
		return CUDA_ERROR_INVALID_HANDLE;
	struct module **on = &l->on[wire_current_device()];
	CUresult error = *on == NULL ? cuModuleLoadDataEx(on, l->image, 0, NULL, NULL) : CUDA_SUCCESS;
	*m = *on;
	return error;
}

// loaded makes a library of an image, which it takes over.
static CUresult loaded(void *image, CUlibrary *l) {
	CUmodule m;
	if (image == NULL || (*l = calloc(1, sizeof **l)) == NULL) {
		free(image);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	(*l)->image = image;
	CUresult error = module_of(*l, &m);
	if (error != CUDA_SUCCESS) {
		free(*l), free(image);
		return error;
	}
	pthread_mutex_lock(&lock);
	(*l)->next = libraries, libraries = *l;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryLoadData(CUlibrary *l, const void *image, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	if (l == NULL || image == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	image = module_image(image);
	size_t size = wire_image_size(image);
	char *copy = malloc(size + 1);
	if (copy != NULL)
		memcpy(copy, image, size), copy[size] = 0;
	return failed(loaded(copy, l));
}

EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *l, const char *path, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	char *image = wire_image_file(path);
	return failed(image == NULL ? CUDA_ERROR_FILE_NOT_FOUND : loaded(image, l));
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
	CUresult error = CUDA_SUCCESS;
	for (uint32_t d = 0; d < WIRE_DEVICES; d++)
		if (l->on[d] != NULL && error == CUDA_SUCCESS)
			error = ON_DEVICE(d, cuModuleUnload(l->on[d]));
	for (struct function *k = l->kernels, *next; k != NULL; k = next)
		next = k->next, free(k);
	free(l->image), free(l);
	return failed(error);
}

EXPORT CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name) {
	if (l == NULL || name == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	for (*k = l->kernels; *k != NULL; *k = (*k)->next)
		if (strcmp((*k)->name, name) == 0)
			return CUDA_SUCCESS;
	CUfunction f;
	CUmodule m;
	CUresult error = module_of(l, &m);
	if (error == CUDA_SUCCESS)
		error = cuModuleGetFunction(&f, m, name);
	if (error != CUDA_SUCCESS)
		return failed(error);
	if ((*k = malloc(sizeof **k + strlen(name) + 1)) == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(*k, f, sizeof **k + strlen(name) + 1);
	(*k)->params = NULL, (*k)->params_size = 0, (*k)->library = l;
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
	CUmodule m;
	CUresult error = module_of(l, &m);
	return error == CUDA_SUCCESS ? cuModuleGetFunctionCount(count, m) : failed(error);
}

EXPORT CUresult cuLibraryEnumerateKernels(CUkernel *list, unsigned room, CUlibrary l) {
	CUmodule m;
	CUresult error = module_of(l, &m);
	return failed(error == CUDA_SUCCESS ? list_kernels(&(struct listing){.library = l, .list = list, .room = room}, m) : error);
}

EXPORT CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l) {
	*m = NULL;
	return failed(module_of(l, m));
}

EXPORT CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name) {
	CUmodule m;
	CUresult error = module_of(l, &m);
	return failed(error == CUDA_SUCCESS ? cuModuleGetGlobal_v2(p, size, m, name) : error);
}

EXPORT CUresult cuKernelGetFunction(CUfunction *f, CUkernel k) {
	CUmodule m;
	CUresult error = k == NULL ? CUDA_ERROR_INVALID_HANDLE : module_of(k->library, &m);
	return failed(error == CUDA_SUCCESS ? cuModuleGetFunction(f, m, k->name) : error);
}

CUresult function_on(CUfunction *f, uint32_t device) {
	if (!LIVE(*f))
		return CUDA_ERROR_INVALID_HANDLE;
	int on = (*f)->library == NULL || WIRE_DEVICE_OF((*f)->epoch) == device;
	return on ? CUDA_SUCCESS : ON_DEVICE(device, cuKernelGetFunction(f, *f));
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuFuncGetParamCount(CUfunction f, size_t *count);
CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size);

// OF_KERNEL defines a function of kernels on a device by that of functions.
#define OF_KERNEL(name, params, device, call)                                       \
	EXPORT CUresult name params {                                                   \
		CUfunction f = NULL;                                                        \
		CUresult error = wire_exists(device);                                       \
		if (error == CUDA_SUCCESS)                                                  \
			error = ON_DEVICE((uint32_t)(device), cuKernelGetFunction(&f, k));      \
		return failed(error == CUDA_SUCCESS ? call : error);                        \
	}

OF_KERNEL(cuKernelGetAttribute, (int *value, int attribute, CUkernel k, CUdevice device), device, cuFuncGetAttribute(value, attribute, f))
OF_KERNEL(cuKernelSetAttribute, (int attribute, int value, CUkernel k, CUdevice device), device, cuFuncSetAttribute(f, attribute, value))
OF_KERNEL(cuKernelSetCacheConfig, (CUkernel k, int config, CUdevice device), device, ((void)config, CUDA_SUCCESS))
OF_KERNEL(cuKernelGetParamCount, (CUkernel k, size_t *count), wire_current_device(), cuFuncGetParamCount(f, count))
OF_KERNEL(cuKernelGetParamInfo, (CUkernel k, size_t index, size_t *offset, size_t *size), wire_current_device(), cuFuncGetParamInfo(f, index, offset, size))

EXPORT CUresult cuKernelGetName(const char **name, CUkernel k) {
	*name = k == NULL ? NULL : k->name;
	return failed(k == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuKernelGetLibrary(CUlibrary *l, CUkernel k) {
	*l = NULL;
	pthread_mutex_lock(&lock);
	for (struct library *p = libraries; p != NULL && k != NULL; p = p->next)
		if (p == k->library)
			*l = p;
	pthread_mutex_unlock(&lock);
	return failed(*l == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}

EXPORT CUresult cuLibraryGetManaged(CUdeviceptr *p, size_t *size, CUlibrary l, const char *name) {
	CUdeviceptr address = 0;
	uint64_t mapped;
	CUmodule m;
	CUresult error = module_of(l, &m);
	if (error == CUDA_SUCCESS)
		error = cuModuleGetGlobal_v2(&address, size, m, name);
	if (error == CUDA_SUCCESS)
		error = wire_managed(module_handle(m), name, &mapped);
	if (error == CUDA_SUCCESS && p != NULL)
		*p = address;
	return failed(error);
}
