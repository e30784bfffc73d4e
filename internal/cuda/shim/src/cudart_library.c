// Libraries of the runtime API, which are modules that the application loads by itself. Their kernels and variables are registered
// as those of the application's own code are, each under a symbol that is made here.
#include "cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void **__cudaRegisterFatBinary(void *data);
void __cudaUnregisterFatBinary(void **module);
void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t size, int constant, int global);

#define WRAPPER_MAGIC 0x466243b1
struct wrapper {
	int magic, version;
	const void *image;
	const void *unused;
};

// A kernel or a variable; its address is the host's symbol for it.
struct member {
	struct member *next;
	int kernel;
	char name[];
};

struct runtime_library {
	struct wrapper wrapper;
	void *image; // a copy, which lives as long as the library
	void **module;
	struct member *members;
};

EXPORT cudaError_t cudaLibraryUnload(struct runtime_library *l) {
	if (l == NULL)
		return failed(cudaErrorInvalidResourceHandle);
	if (l->module != NULL)
		__cudaUnregisterFatBinary(l->module);
	for (struct member *m = l->members, *next; m != NULL; m = next)
		next = m->next, free(m);
	free(l->image);
	free(l);
	return cudaSuccess;
}

// made makes a library of an image that it takes over.
static cudaError_t made(struct runtime_library **out, void *image) {
	struct runtime_library *l = image == NULL ? NULL : calloc(1, sizeof *l);
	if (l == NULL) {
		free(image);
		return failed(cudaErrorMemoryAllocation);
	}
	l->wrapper = (struct wrapper){WRAPPER_MAGIC, 1, image, NULL};
	l->image = image;
	l->module = __cudaRegisterFatBinary(&l->wrapper);
	*out = l;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaLibraryLoadData(struct runtime_library **out, const void *code, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	if (out == NULL || code == NULL)
		return failed(cudaErrorInvalidValue);
	const struct wrapper *w = code;
	const void *image = w->magic == WRAPPER_MAGIC ? w->image : code;
	size_t size = wire_image_size(image);
	char *copy = malloc(size + 1);
	if (copy != NULL)
		memcpy(copy, image, size), copy[size] = 0;
	return made(out, copy);
}

EXPORT cudaError_t cudaLibraryLoadFromFile(struct runtime_library **out, const char *path, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	(void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
	if (out == NULL || path == NULL)
		return failed(cudaErrorInvalidValue);
	char *image = wire_image_file(path);
	return image == NULL ? failed(cudaErrorFileNotFound) : made(out, image);
}

// member_of is the symbol of a kernel or a variable.
static struct member *member_of(struct runtime_library *l, const char *name, int kernel) {
	for (struct member *m = l->members; m != NULL; m = m->next)
		if (m->kernel == kernel && strcmp(m->name, name) == 0)
			return m;
	struct member *m = calloc(1, sizeof *m + strlen(name) + 1);
	if (m == NULL)
		return NULL;
	strcpy(m->name, name);
	m->kernel = kernel, m->next = l->members, l->members = m;
	if (kernel)
		__cudaRegisterFunction(l->module, (char *)m, NULL, m->name, -1, NULL, NULL, NULL, NULL, NULL);
	else
		__cudaRegisterVar(l->module, (char *)m, NULL, m->name, 0, 0, 0, 0);
	return m;
}

EXPORT cudaError_t cudaLibraryGetKernel(const void **kernel, struct runtime_library *l, const char *name) {
	if (l == NULL || name == NULL)
		return failed(cudaErrorInvalidResourceHandle);
	struct member *m = member_of(l, name, 1);
	if (m == NULL)
		return failed(cudaErrorMemoryAllocation);
	cudaError_t error;
	if (kernel_of(m, &error) == NULL)
		return failed(error == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : error);
	return failed(handle_of(m, kernel));
}

EXPORT cudaError_t cudaLibraryGetGlobal(void **p, size_t *size, struct runtime_library *l, const char *name) {
	if (l == NULL || name == NULL)
		return failed(cudaErrorInvalidResourceHandle);
	struct member *m = member_of(l, name, 0);
	uint64_t address = 0, bytes = 0;
	cudaError_t error = m == NULL ? cudaErrorMemoryAllocation : variable_of(m, &address, &bytes);
	if (error != cudaSuccess)
		return failed(error == cudaErrorInvalidSymbol ? cudaErrorSymbolNotFound : error);
	if (p != NULL)
		*p = (void *)address;
	if (size != NULL)
		*size = bytes;
	return cudaSuccess;
}
SAME_AS(cudaLibraryGetGlobal) cudaError_t cudaLibraryGetManaged(void **, size_t *, struct runtime_library *, const char *);

// listing is an array of an application's for the kernels of a library.
struct listing {
	struct runtime_library *library;
	const void **list;
	unsigned room, count;
};

static int listed(const char *name, void *data) {
	struct listing *l = data;
	unsigned i = l->count++;
	return i < l->room ? cudaLibraryGetKernel(&l->list[i], l->library, name) : cudaSuccess;
}

static cudaError_t list_kernels(struct listing *l) {
	uint64_t handle;
	if (l->library == NULL)
		return cudaErrorInvalidResourceHandle;
	cudaError_t error = module_number(l->library->module, &handle);
	return error == cudaSuccess ? wire_kernels(handle, listed, l) : error;
}

EXPORT cudaError_t cudaLibraryGetKernelCount(unsigned *count, struct runtime_library *library) {
	struct listing l = {.library = library};
	cudaError_t error = list_kernels(&l);
	*count = l.count;
	return failed(error);
}

EXPORT cudaError_t cudaLibraryEnumerateKernels(const void **list, unsigned room, struct runtime_library *library) {
	return failed(list_kernels(&(struct listing){library, list, room, 0}));
}
