// Modules and kernels of the driver API, and its linker, whose output is the PTX that it was
// given.
#include "cuda.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a fat binary may be wrapped in.
#define WRAPPER_MAGIC 0x466243b1
struct wrapper {
	int magic, version;
	const void *image;
};

struct module {
	uint64_t handle;
	uint32_t epoch;
	struct function *functions;
};

// Options of the just-in-time compiler that applications read back: the sizes of its logs.
enum { INFO_LOG = 3, INFO_LOG_SIZE = 4, ERROR_LOG = 5, ERROR_LOG_SIZE = 6 };

static void empty_logs(unsigned count, const int *options, void **values) {
	for (unsigned i = 0; i < count; i++) {
		if ((options[i] == INFO_LOG || options[i] == ERROR_LOG) && values[i] != NULL)
			*(char *)values[i] = 0;
		if (options[i] == INFO_LOG_SIZE || options[i] == ERROR_LOG_SIZE)
			values[i] = NULL;
	}
}

const void *module_image(const void *image) {
	const struct wrapper *w = image;
	return w->magic == WRAPPER_MAGIC ? w->image : image;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values) {
	if (m == NULL || image == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	image = module_image(image);
	empty_logs(count, options, values);
	*m = calloc(1, sizeof **m);
	if (*m == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	CUresult error = wire_load(image, wire_image_size(image), &(*m)->handle);
	if (error != CUDA_SUCCESS) {
		free(*m);
		*m = NULL;
		return failed(error);
	}
	(*m)->epoch = wire_epoch();
	return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadData(CUmodule *m, const void *image) { return cuModuleLoadDataEx(m, image, 0, NULL, NULL); }
EXPORT CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image) { return cuModuleLoadDataEx(m, image, 0, NULL, NULL); }

EXPORT CUresult cuModuleLoad(CUmodule *m, const char *path) {
	char *image = wire_image_file(path);
	if (image == NULL)
		return failed(CUDA_ERROR_FILE_NOT_FOUND);
	CUresult error = cuModuleLoadData(m, image);
	free(image);
	return failed(error);
}

EXPORT CUresult cuModuleUnload(CUmodule m) {
	if (!LIVE(m))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	for (struct function *f = m->functions, *next; f != NULL; f = next) {
		next = f->next;
		free(f->kernel);
		free(f->params);
		free(f);
	}
	forget_texrefs(m->handle);
	CUresult error = wire_unload(m->handle);
	free(m);
	return failed(error);
}

EXPORT CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
	if (!LIVE(m) || name == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	for (*f = m->functions; *f != NULL; *f = (*f)->next)
		if (strcmp((*f)->name, name) == 0)
			return CUDA_SUCCESS;
	CUresult error;
	struct wire_function *kernel = wire_function(m->handle, name, &error);
	if (kernel == NULL)
		return failed(error);
	struct function *found = calloc(1, sizeof *found + strlen(name) + 1);
	if (found == NULL) {
		free(kernel);
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	}
	strcpy(found->name, name);
	found->kernel = kernel, found->module = m, found->epoch = m->epoch, found->next = m->functions;
	*f = m->functions = found;
	return CUDA_SUCCESS;
}

uint64_t module_handle(CUmodule m) { return m->handle; }

// ptxsan_function is the function of a kernel of the runtime's modules, which the other end knows by a number. The runtime calls it.
EXPORT CUresult ptxsan_function(CUfunction *f, uint64_t handle, const char *name) {
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static struct foreign {
		struct module module;
		struct foreign *next;
	} *all;
	CUresult error = CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	struct foreign *m = all;
	while (m != NULL && (m->module.handle != handle || !LIVE(&m->module)))
		m = m->next;
	if (m == NULL && (m = calloc(1, sizeof *m)) != NULL) {
		m->module.handle = handle, m->module.epoch = wire_epoch();
		m->next = all, all = m;
	}
	if (m != NULL)
		error = cuModuleGetFunction(f, &m->module, name);
	pthread_mutex_unlock(&lock);
	return error;
}

EXPORT CUresult cuFuncGetModule(CUmodule *m, CUfunction f) {
	if (!LIVE(f))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	*m = f->module;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *size, CUmodule m, const char *name) {
	uint64_t where, bytes;
	if (!LIVE(m))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	CUresult error = wire_variable(m->handle, name, &where, &bytes);
	if (error == CUDA_SUCCESS && address != NULL)
		*address = where;
	if (error == CUDA_SUCCESS && size != NULL)
		*size = bytes;
	return failed(error);
}
VERSION2(cuModuleGetGlobal, (CUdeviceptr *, size_t *, CUmodule, const char *))

EXPORT CUresult cuModuleGetTexRef(struct texref **t, CUmodule m, const char *name) {
	if (!LIVE(m))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	return failed(t == NULL || name == NULL ? CUDA_ERROR_INVALID_VALUE : module_texref(t, m->handle, name));
}

EXPORT CUresult cuModuleGetSurfRef(struct surfref **s, CUmodule m, const char *name) {
	if (!LIVE(m))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	return failed(s == NULL || name == NULL ? CUDA_ERROR_INVALID_VALUE : module_surfref(s, m->handle, name));
}

EXPORT CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f) {
	enum { MAX_THREADS, SHARED, CONSTANT, LOCAL, REGISTERS, PTX_VERSION, BINARY_VERSION, CACHE_MODE, MAX_DYNAMIC };
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL || !LIVE(f))
		return failed(d == NULL ? error : CUDA_ERROR_INVALID_HANDLE);
	switch (attribute) {
	case MAX_THREADS: *value = f->kernel->max_threads; break;
	case SHARED: *value = f->kernel->shared; break;
	case CONSTANT: *value = 0; break;
	case LOCAL: *value = f->kernel->local; break;
	case REGISTERS: *value = f->kernel->registers; break;
	case PTX_VERSION: *value = f->kernel->ptx_version; break;
	case BINARY_VERSION: *value = f->kernel->version; break;
	case MAX_DYNAMIC: *value = d->shared_per_block - f->kernel->shared; break;
	default: *value = 0;
	}
	return CUDA_SUCCESS;
}

static CUresult exists(CUfunction f) { return !LIVE(f) ? CUDA_ERROR_INVALID_HANDLE : wire_ready(); }

EXPORT CUresult cuFuncGetName(const char **name, CUfunction f) {
	*name = LIVE(f) ? f->name : NULL;
	return failed(exists(f));
}

// Functions are loaded with their module, and modules when they are asked for.
EXPORT CUresult cuModuleGetLoadingMode(int *mode) {
	enum { EAGER = 1 };
	*mode = EAGER;
	return failed(wire_ready());
}

EXPORT CUresult cuFuncLoad(CUfunction f) { return failed(exists(f)); }

EXPORT CUresult cuFuncIsLoaded(int *loaded, CUfunction f) {
	*loaded = LIVE(f);
	return failed(exists(f));
}

EXPORT CUresult cuFuncGetParamCount(CUfunction f, size_t *count) {
	if (LIVE(f))
		*count = f->kernel->nparams;
	return failed(exists(f));
}

EXPORT CUresult cuFuncGetParamInfo(CUfunction f, size_t index, size_t *offset, size_t *size) {
	if (!LIVE(f) || index >= f->kernel->nparams)
		return failed(LIVE(f) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	*offset = f->kernel->params[index].offset;
	if (size != NULL)
		*size = f->kernel->params[index].size;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value) {
	(void)attribute, (void)value; // limits of shared memory are checked at the launch
	return failed(exists(f));
}

EXPORT CUresult cuFuncSetCacheConfig(CUfunction f, int config) {
	(void)config;
	return failed(exists(f));
}

EXPORT CUresult cuFuncSetSharedMemConfig(CUfunction f, int config) {
	(void)config;
	return failed(exists(f));
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction f, int threads, size_t shared) {
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL || !LIVE(f) || threads <= 0)
		return failed(d == NULL ? error : CUDA_ERROR_INVALID_VALUE);
	*blocks = wire_occupancy(d, f->kernel, threads, shared);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction f, int threads, size_t shared, unsigned flags) {
	(void)flags;
	return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, f, threads, shared);
}

EXPORT CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *size, CUfunction f, int blocks, int threads) {
	(void)threads;
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL || !LIVE(f) || blocks <= 0)
		return failed(d == NULL ? error : CUDA_ERROR_INVALID_VALUE);
	*size = wire_dynamic_shared(d, f->kernel, blocks);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction f, size_t (*shared_of)(int), size_t shared, int limit) {
	enum { USUAL = 256 };
	int error, blocks;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL || !LIVE(f))
		return failed(d == NULL ? error : CUDA_ERROR_INVALID_HANDLE);
	*block = limit > 0 && limit < USUAL ? limit : USUAL;
	if (f->kernel->max_threads < (uint32_t)*block)
		*block = f->kernel->max_threads;
	error = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, *block, shared_of != NULL ? shared_of(*block) : shared);
	*grid = d->multiprocessors * blocks;
	return failed(error);
}

EXPORT CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction f, size_t (*shared_of)(int), size_t shared, int limit, unsigned flags) {
	(void)flags;
	return cuOccupancyMaxPotentialBlockSize(grid, block, f, shared_of, shared, limit);
}

EXPORT CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction f, const struct launch_config *c) {
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL || !LIVE(f) || c == NULL)
		return failed(d == NULL ? error : CUDA_ERROR_INVALID_VALUE);
	*clusters = wire_clusters(d, f->kernel, c->block, c->shared, c->attributes, c->nattributes);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction f, const struct launch_config *c) {
	(void)c;
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d != NULL)
		*size = d->major >= CLUSTERS_SINCE ? PORTABLE_CLUSTER : 1;
	return failed(d == NULL ? error : exists(f));
}

// The linker takes PTX and fat binaries, and archives of device code that it need not have. The
// pieces are linked when their module is loaded.
enum { PIECES = 64 };
struct link {
	void *pieces[PIECES];
	size_t sizes[PIECES], count;
	void *image; // of several pieces
};

EXPORT CUresult cuLinkCreate(unsigned count, int *options, void **values, struct link **out) {
	empty_logs(count, options, values);
	*out = calloc(1, sizeof **out);
	return failed(*out == NULL ? CUDA_ERROR_OUT_OF_MEMORY : wire_ready());
}
VERSION2(cuLinkCreate, (unsigned, int *, void **, struct link **))

EXPORT CUresult cuLinkAddData(struct link *l, int type, const void *data, size_t size, const char *name, unsigned count, int *options, void **values) {
	(void)type, (void)name;
	empty_logs(count, options, values);
	if (l->count == PIECES)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	char *text = malloc(size + 1);
	if (text == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(text, data, size);
	text[size] = 0;
	l->sizes[l->count] = size, l->pieces[l->count++] = text;
	return CUDA_SUCCESS;
}
VERSION2(cuLinkAddData, (struct link *, int, const void *, size_t, const char *, unsigned, int *, void **))

EXPORT CUresult cuLinkAddFile(struct link *l, int type, const char *path, unsigned count, int *options, void **values) {
	enum { ARCHIVE = 4 };
	if (type == ARCHIVE)
		return CUDA_SUCCESS; // NVIDIA's device runtime, which the emulator is
	char *text = wire_image_file(path);
	if (text == NULL)
		return failed(CUDA_ERROR_FILE_NOT_FOUND);
	CUresult error = cuLinkAddData(l, type, text, wire_image_size(text), path, count, options, values);
	free(text);
	return failed(error);
}
VERSION2(cuLinkAddFile, (struct link *, int, const char *, unsigned, int *, void **))

EXPORT CUresult cuLinkComplete(struct link *l, void **image, size_t *size) {
	if (l->count == 0)
		return failed(CUDA_ERROR_INVALID_IMAGE);
	if (l->count > 1 && l->image == NULL)
		l->image = wire_link(NULL, (const void *const *)l->pieces, l->sizes, l->count);
	*image = l->count > 1 ? l->image : l->pieces[0];
	if (*image == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	if (size != NULL)
		*size = l->count > 1 ? wire_image_size(l->image) : l->sizes[0];
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLinkDestroy(struct link *l) {
	for (size_t i = 0; i < l->count; i++)
		free(l->pieces[i]);
	free(l->image);
	free(l);
	return CUDA_SUCCESS;
}
