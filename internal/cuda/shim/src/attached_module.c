// Modules, libraries and kernels: images go to ptxsan, which has what it can instrument loaded in their
// place.
#include "attached.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What a fat binary may be wrapped in.
#define WRAPPER_MAGIC 0x466243b1
struct fatbin_wrapper {
	int magic, version;
	const void *image;
};

// The modules that are instrumented, by the driver's handles of the module and of its library, and the
// kernels that the application has asked for.
struct loaded {
	void *module, *library;
	uint64_t number, context;
	struct loaded *next;
};
enum { BUCKETS = 1024 };
static struct loaded *modules;
static struct attached_kernel *kernels[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct attached_kernel **bucket(void *handle) { return &kernels[((uintptr_t)handle >> 4) * 2654435761u % BUCKETS]; }

static struct attached_kernel *known(void *handle) {
	pthread_mutex_lock(&lock);
	struct attached_kernel *k = *bucket(handle);
	while (k != NULL && k->handle != handle)
		k = k->next;
	pthread_mutex_unlock(&lock);
	return k;
}

// number_of is the number of an instrumented module by the handle of it or of its library, 0 for others. The caller has the lock.
static uint64_t number_of(void *handle) {
	for (struct loaded *m = modules; m != NULL; m = m->next)
		if (handle != NULL && (m->module == handle || m->library == handle))
			return m->number;
	return 0;
}

// looked_up is number_of with the lock.
static uint64_t looked_up(void *handle) {
	pthread_mutex_lock(&lock);
	uint64_t number = number_of(handle);
	pthread_mutex_unlock(&lock);
	return number;
}

CUlibrary attached_library(uint64_t number) {
	CUlibrary found = NULL;
	pthread_mutex_lock(&lock);
	for (struct loaded *m = modules; m != NULL; m = m->next)
		if (m->number == number)
			found = m->library;
	pthread_mutex_unlock(&lock);
	return found;
}

// add remembers a kernel of a module, or of a library. A handle may have been another kernel's.
static void add(void *handle, void *of, int in_library, const char *name) {
	struct attached_kernel *k = malloc(sizeof *k + strlen(name) + 1);
	if (k == NULL)
		return;
	pthread_mutex_lock(&lock);
	struct attached_kernel **first = bucket(handle), *before = *first;
	uint64_t number = number_of(of);
	while (before != NULL && before->handle != handle)
		before = before->next;
	if (before != NULL && before->of == of && before->module == number && strcmp(before->name, name) == 0) {
		free(k);
	} else {
		*k = (struct attached_kernel){.handle = handle, .of = of, .in_library = in_library, .module = number, .block = {1, 1, 1}, .next = *first};
		strcpy(k->name, name);
		*first = k;
	}
	pthread_mutex_unlock(&lock);
}

// remember puts a module among those that are instrumented.
static void remember(struct loaded *m) {
	pthread_mutex_lock(&lock);
	m->context = attached_context();
	m->next = modules, modules = m;
	pthread_mutex_unlock(&lock);
}

// The variable that a registered image has: its number.
#define NUMBER_VARIABLE "__ptxsan_module"

// adopt takes up a module that the runtime has loaded, by itself or as a library, if its image was registered: with the
// kernels whose names ptxsan tells.
static void adopt(CUmodule module, void *library) {
	CUdeviceptr p;
	size_t size;
	uint64_t words[3] = {attached_context(), 0, (uintptr_t)module}, reply[1];
	struct attached_subject s = {0};
	struct wire_part part = {words, sizeof words};
	if (REAL(cuModuleGetGlobal_v2)(&p, &size, module, NUMBER_VARIABLE) != CUDA_SUCCESS || REAL(cuMemcpyDtoH_v2)(&words[1], p, sizeof words[1]) != CUDA_SUCCESS)
		return;
	struct loaded *m = calloc(1, sizeof *m);
	if (m == NULL || attached_call(REQ_ADOPT, &part, 1, &s, reply, 1) != DONE) {
		free(m);
		return;
	}
	m->number = reply[0], m->module = module, m->library = library;
	remember(m);
	for (const char *name = s.bytes; name != NULL && name < (const char *)s.bytes + s.size; name += strlen(name) + 1) {
		CUfunction f;
		if (REAL(cuModuleGetFunction)(&f, module, name) == CUDA_SUCCESS)
			add(f, module, 0, name);
	}
	free(s.bytes);
}

struct attached_kernel *attached_find(void *handle) {
	struct attached_kernel *k = known(handle);
	CUmodule module = NULL;
	CUresult error = CUDA_ERROR_NOT_SUPPORTED;
	if (k != NULL && (k->module != 0 || k->looked))
		return k;
	if (k == NULL)
		add(handle, NULL, 0, "a kernel");
	CUlibrary library = k != NULL && k->in_library ? k->of : NULL;
	if (library != NULL && HAS(cuLibraryGetModule))
		error = REAL(cuLibraryGetModule)(&module, library);
	else if (library == NULL && HAS(cuFuncGetModule))
		error = REAL(cuFuncGetModule)(&module, (CUfunction)handle);
	if (error == CUDA_SUCCESS && looked_up(module) == 0)
		adopt(module, library);
	if ((k = known(handle)) == NULL)
		return NULL;
	if (library != NULL) // the functions of its module have other handles
		k->module = looked_up(library);
	k->looked = 1;
	return k;
}

// load has ptxsan load an image, as a module or as a library. The value is PASSED when the driver is to load it.
static int load(const void *image, CUmodule *module, CUlibrary *library) {
	const struct fatbin_wrapper *w = image;
	struct attached_subject s = {.library = library};
	uint64_t context = attached_context(), reply[2] = {0};
	if (image == NULL || context == 0 || !attached_outside())
		return PASSED;
	if (w->magic == WRAPPER_MAGIC)
		image = w->image;
	struct loaded *m = calloc(1, sizeof *m);
	void *pieces = attached_pieces(image);
	if (pieces != NULL)
		image = pieces;
	struct wire_part parts[] = {{&context, sizeof context}, {image, wire_image_size(image)}};
	int status = m == NULL ? PASSED : attached_call(REQ_LOAD, parts, 2, &s, reply, 2);
	free(pieces);
	if (status != DONE) {
		free(m);
		return PASSED;
	}
	m->number = reply[0], m->module = (void *)(uintptr_t)reply[1];
	if (library != NULL)
		m->library = *library;
	else
		*module = m->module;
	remember(m);
	return DONE;
}

const void *attached_register(const void *image) {
	struct attached_subject s = {0};
	struct wire_part part = {image, wire_image_size(image)};
	if (!attached_outside() || attached_call(REQ_REGISTER, &part, 1, &s, NULL, 0) != DONE)
		return NULL;
	return s.bytes;
}

const void *attached_register_all(const void *const *images) {
	size_t n = 0;
	while (images[n] != NULL)
		n++;
	size_t sizes[n + 1];
	for (size_t i = 0; i < n; i++)
		sizes[i] = wire_image_size(images[i]);
	void *linked = attached_outside() ? wire_link(NULL, images, sizes, n) : NULL;
	const void *image = linked == NULL ? NULL : attached_register(linked);
	free(linked);
	return image;
}

// take takes the module at a place off the list. Its kernels stay, since others may read them, without their
// handles. The caller has the lock.
static struct loaded *take(struct loaded **at) {
	struct loaded *m = *at;
	*at = m->next;
	for (int i = 0; i < BUCKETS; i++)
		for (struct attached_kernel *k = kernels[i]; k != NULL; k = k->next)
			if (k->module == m->number)
				k->handle = NULL;
	return m;
}

void attached_forget(uint64_t context) {
	pthread_mutex_lock(&lock);
	for (struct loaded **at = &modules; *at != NULL;)
		if ((*at)->context == context)
			free(take(at));
		else
			at = &(*at)->next;
	pthread_mutex_unlock(&lock);
}

// unload forgets a module or a library, before the driver unloads it.
static void unload(void *handle) {
	pthread_mutex_lock(&lock);
	struct loaded **at = &modules;
	while (*at != NULL && (*at)->module != handle && (*at)->library != handle)
		at = &(*at)->next;
	struct loaded *m = *at == NULL ? NULL : take(at);
	pthread_mutex_unlock(&lock);
	if (m == NULL)
		return;
	struct wire_part part = {&m->number, sizeof m->number};
	attached_call(REQ_UNLOAD, &part, 1, NULL, NULL, 0);
	free(m);
}

// empty_logs says that the driver's compiler has nothing to tell: it has compiled other text with other options.
static void empty_logs(unsigned count, const int *options, void **values) {
	enum { INFO_LOG = 3, INFO_LOG_SIZE = 4, ERROR_LOG = 5, ERROR_LOG_SIZE = 6 };
	for (unsigned i = 0; i < count; i++) {
		if ((options[i] == INFO_LOG || options[i] == ERROR_LOG) && values[i] != NULL)
			*(char *)values[i] = 0;
		if (options[i] == INFO_LOG_SIZE || options[i] == ERROR_LOG_SIZE)
			values[i] = NULL;
	}
}

char *attached_contents(const char *path, size_t *size) {
	FILE *f = path == NULL ? NULL : fopen(path, "rb");
	char *text = NULL;
	*size = 0;
	if (f == NULL)
		return NULL;
	long length = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	if (length >= 0 && fseek(f, 0, SEEK_SET) == 0 && (text = calloc(1, length + sizeof(struct fatbin_wrapper))) != NULL)
		*size = fread(text, 1, length, f);
	fclose(f);
	return text;
}

static int load_file(const char *path, CUmodule *module, CUlibrary *library) {
	size_t size;
	char *image = attached_outside() ? attached_contents(path, &size) : NULL;
	int status = image == NULL ? PASSED : load(image, module, library);
	free(image);
	return status;
}

EXPORT CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values) {
	if (m == NULL || load(image, m, NULL) == PASSED)
		return INSIDE(REAL(cuModuleLoadDataEx)(m, image, count, options, values));
	empty_logs(count, options, values);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadData(CUmodule *m, const void *image) {
	return m == NULL || load(image, m, NULL) == PASSED ? INSIDE(REAL(cuModuleLoadData)(m, image)) : CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoadFatBinary(CUmodule *m, const void *image) {
	return m == NULL || load(image, m, NULL) == PASSED ? INSIDE(REAL(cuModuleLoadFatBinary)(m, image)) : CUDA_SUCCESS;
}

EXPORT CUresult cuModuleLoad(CUmodule *m, const char *path) {
	return m == NULL || load_file(path, m, NULL) == PASSED ? INSIDE(REAL(cuModuleLoad)(m, path)) : CUDA_SUCCESS;
}

EXPORT CUresult cuModuleUnload(CUmodule m) {
	if (attached_outside())
		unload(m);
	return INSIDE(REAL(cuModuleUnload)(m));
}

EXPORT CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name) {
	CUresult error = INSIDE(REAL(cuModuleGetFunction)(f, m, name));
	if (error == CUDA_SUCCESS && attached_outside())
		add(*f, m, 0, name);
	return error;
}

EXPORT CUresult cuLibraryLoadData(CUlibrary *l, const void *image, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	if (l == NULL || load(image, NULL, l) == PASSED)
		return INSIDE(REAL(cuLibraryLoadData)(l, image, options, values, count, more, more_values, more_count));
	empty_logs(count, options, values);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryLoadFromFile(CUlibrary *l, const char *path, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count) {
	if (l == NULL || load_file(path, NULL, l) == PASSED)
		return INSIDE(REAL(cuLibraryLoadFromFile)(l, path, options, values, count, more, more_values, more_count));
	empty_logs(count, options, values);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLibraryUnload(CUlibrary l) {
	if (attached_outside())
		unload(l);
	return INSIDE(REAL(cuLibraryUnload)(l));
}

EXPORT CUresult cuLibraryGetKernel(CUkernel *k, CUlibrary l, const char *name) {
	CUresult error = INSIDE(REAL(cuLibraryGetKernel)(k, l, name));
	if (error == CUDA_SUCCESS && attached_outside())
		add(*k, l, 1, name);
	return error;
}

// A kernel of a library and its function in a context are launched alike.
EXPORT CUresult cuKernelGetFunction(CUfunction *f, CUkernel kernel) {
	CUresult error = INSIDE(REAL(cuKernelGetFunction)(f, kernel));
	struct attached_kernel *k = attached_outside() ? attached_find(kernel) : NULL;
	if (error != CUDA_SUCCESS || k == NULL || (void *)*f == (void *)kernel)
		return error;
	pthread_mutex_lock(&lock);
	void *of = NULL;
	for (struct loaded *m = modules; m != NULL; m = m->next)
		if (m->number == k->module)
			of = m->module;
	pthread_mutex_unlock(&lock);
	add(*f, of, 0, k->name);
	return error;
}
