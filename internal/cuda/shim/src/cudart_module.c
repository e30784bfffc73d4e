// Modules, kernels and launches of the runtime API. Code that nvcc and clang make registers
// fat binaries and symbols before main: nothing is done with them until a kernel is launched
// or a variable is used, so that a large binary costs what it is used for.
#include "cudart_graph.h"
#include "launch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What __cudaRegisterFatBinary is given: a wrapper around the image.
// That of relocatable device code has a list of images, which ends with null.
#define WRAPPER_MAGIC 0x466243b1
struct wrapper {
	int magic, version;
	const void *image;
	const void *const *images;
};
enum { WRAPPER_RELOCATABLE = 2 };

struct module {
	const void *image;
	void *linked; // image, where it was made here
	int bad;      // the image is not valid
	struct loaded {
		uint64_t handle;
		uint32_t epoch; // in which it was loaded, or could not be
		int tried;
		cudaError_t error;
	} on[WIRE_DEVICES];
};

enum symbol_kind { SYMBOL_KERNEL, SYMBOL_VARIABLE, SYMBOL_TEXTURE };

struct symbol {
	const void *key; // the host's address that stands for it; null for an empty slot
	struct module *module;
	const char *name;
	enum symbol_kind kind;
	int fraction; // of a texture: integers are read as fractions
	struct found *found;
};

// found is what is known of a symbol on a device: its kernel, or its variable. These are null, and 0, before the first use.
struct found {
	uint32_t epoch;
	struct wire_function *function;
	uint64_t address, size;
	struct found *next;
};

// Symbols by the host's addresses: a hash table with open addressing.
static struct {
	pthread_mutex_t lock;
	struct symbol *slots;
	size_t room, used;
} symbols = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct symbol *slot_of(const void *key) {
	size_t at = ((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u;
	while (symbols.slots[at & (symbols.room - 1)].key != NULL && symbols.slots[at & (symbols.room - 1)].key != key)
		at++;
	return &symbols.slots[at & (symbols.room - 1)];
}

static void grow(void) {
	struct symbol *old = symbols.slots;
	size_t room = symbols.room;
	symbols.room = room == 0 ? 64 : 2 * room;
	symbols.slots = calloc(symbols.room, sizeof *symbols.slots);
	if (symbols.slots == NULL)
		abort();
	for (size_t i = 0; i < room; i++)
		if (old[i].key != NULL)
			*slot_of(old[i].key) = old[i];
	free(old);
}

// found_of is what is known of a symbol on the current device; null without memory.
static struct found *found_of(struct symbol *s) {
	struct found *f = s->found;
	while (f != NULL && WIRE_DEVICE_OF(f->epoch) != wire_current_device())
		f = f->next;
	if (f == NULL && (f = calloc(1, sizeof *f)) != NULL)
		f->epoch = wire_epoch(), f->next = s->found, s->found = f;
	if (f != NULL && f->epoch != wire_epoch()) { // before a reset
		free(f->function);
		*f = (struct found){.epoch = wire_epoch(), .next = f->next};
	}
	return f;
}

// forget frees what is known of a symbol.
static void forget(struct found *list) {
	for (struct found *next; list != NULL; list = next) {
		next = list->next;
		free(list->function);
		free(list);
	}
}

static void add(struct module *m, enum symbol_kind kind, const void *key, const char *name) {
	pthread_mutex_lock(&symbols.lock);
	if (4 * symbols.used >= 3 * symbols.room)
		grow();
	struct symbol *s = slot_of(key);
	if (s->key == NULL)
		symbols.used++;
	forget(s->found);
	*s = (struct symbol){.key = key, .module = m, .name = name, .kind = kind};
	pthread_mutex_unlock(&symbols.lock);
}

// linked is one image of those in a list, and of what they were linked to when the program was built.
static void *linked(const void *built, const void *const *images) {
	size_t n = 0;
	while (images[n] != NULL)
		n++;
	size_t sizes[n + 1];
	for (size_t i = 0; i < n; i++)
		sizes[i] = wire_image_size(images[i]);
	void *out = wire_link(built, images, sizes, n);
	if (out == NULL)
		abort();
	return out;
}

EXPORT void **__cudaRegisterFatBinary(void *data) {
	const struct wrapper *w = data;
	struct module *m = calloc(1, sizeof *m);
	if (m == NULL)
		abort();
	if (w->magic != WRAPPER_MAGIC)
		m->bad = 1;
	else if (w->version == WRAPPER_RELOCATABLE && w->images != NULL)
		m->image = m->linked = linked(w->image, w->images);
	else
		m->image = w->image;
	return (void **)m;
}

EXPORT void __cudaRegisterFatBinaryEnd(void **module) { (void)module; }

static cudaError_t load(struct module *m);

// is_loaded reports whether a device has a module.
static int is_loaded(const struct module *m, uint32_t device) {
	const struct loaded *l = &m->on[device];
	return l->tried && l->error == cudaSuccess && wire_live(l->epoch);
}

// Managed variables: the host reads its pointer to one, after it has had the module
// initialised.
struct managed {
	struct module *module;
	void **host;
	const char *name;
	int ready; // the host has its address
	struct managed *next;
};
static struct managed *managed;

EXPORT void __cudaRegisterManagedVar(void **module, void **host, char *device, const char *name, int external, size_t size, int constant, int global) {
	(void)device, (void)external, (void)size, (void)constant, (void)global;
	struct managed *v = calloc(1, sizeof *v);
	if (v == NULL)
		abort();
	*v = (struct managed){.module = (struct module *)module, .host = host, .name = name, .next = managed};
	managed = v;
	add((struct module *)module, SYMBOL_VARIABLE, host, name);
}

// show maps a variable, unless another device has it, and tells the host where it is.
static void show(struct managed *v) {
	uint64_t address = 0;
	v->ready = failed(load(v->module)) == cudaSuccess && failed(wire_managed(v->module->on[wire_current_device()].handle, v->name, &address)) == cudaSuccess;
	if (v->ready && address != 0)
		*v->host = (void *)address;
}

EXPORT char __cudaInitModule(void **module) {
	for (struct managed *v = managed; v != NULL; v = v->next)
		if (v->module == (struct module *)module && !v->ready)
			show(v);
	return 1;
}

void modules_again(void) {
	for (struct managed *v = managed; v != NULL; v = v->next)
		if (v->ready)
			show(v);
}

// The library may be asked to forget a module when the process ends, after the connection
// has gone; a module of a library that is unloaded is forgotten by the other end, too.
EXPORT void __cudaUnregisterFatBinary(void **module) {
	struct module *m = (struct module *)module;
	pthread_mutex_lock(&symbols.lock);
	for (size_t i = 0; i < symbols.room; i++)
		if (symbols.slots[i].key != NULL && symbols.slots[i].module == m) {
			forget(symbols.slots[i].found);
			symbols.slots[i] = (struct symbol){.key = symbols.slots[i].key};
		}
	pthread_mutex_unlock(&symbols.lock);
	for (struct managed **p = &managed; *p != NULL;) {
		struct managed *v = *p;
		if (v->module != m) {
			p = &v->next;
			continue;
		}
		*p = v->next;
		free(v);
	}
	for (uint32_t d = 0; d < WIRE_DEVICES; d++)
		if (is_loaded(m, d))
			ON_DEVICE(d, wire_unload(m->on[d].handle));
	free(m->linked);
	free(m);
}

EXPORT void __cudaRegisterFunction(void **module, const char *host, char *device, const char *name, int limit, void *tid, void *bid, void *block, void *grid, int *warp) {
	(void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
	add((struct module *)module, SYMBOL_KERNEL, host, name);
}

EXPORT void __cudaRegisterVar(void **module, char *host, char *device, const char *name, int external, size_t size, int constant, int global) {
	(void)device, (void)external, (void)size, (void)constant, (void)global;
	add((struct module *)module, SYMBOL_VARIABLE, host, name);
}

EXPORT void __cudaRegisterTexture(void **module, const void *host, const void **device, const char *name, int dims, int normalized, int external) {
	(void)device, (void)dims, (void)external;
	add((struct module *)module, SYMBOL_TEXTURE, host, name);
	slot_of(host)->fraction = normalized;
}

EXPORT void __cudaRegisterSurface(void **module, const void *host, const void **device, const char *name, int dims, int external) {
	(void)device, (void)dims, (void)external;
	add((struct module *)module, SYMBOL_TEXTURE, host, name);
}

EXPORT void __cudaRegisterHostVar(void **module, const char *name, char *host, size_t size) {
	(void)module, (void)name, (void)host, (void)size;
}

// share maps the managed variables of a module on the device where it is loaded, before another device loads it: devices share
// them.
static void share(const struct module *m) {
	for (uint32_t d = 0; d < WIRE_DEVICES; d++)
		for (struct managed *v = managed; is_loaded(m, d) && v != NULL; v = v->next)
			if (v->module == m && !v->ready)
				ON_DEVICE(d, (show(v), 0));
}

// load sends a module to the current device, once.
static cudaError_t load(struct module *m) {
	struct loaded *l = &m->on[wire_current_device()];
	if (m->bad || (l->tried && l->epoch == wire_epoch()))
		return m->bad ? cudaErrorInvalidKernelImage : l->error;
	cudaError_t error = wire_ready();
	if (error != cudaSuccess)
		return error;
	share(m);
	l->error = wire_load(m->image, wire_image_size(m->image), &l->handle);
	l->tried = 1, l->epoch = wire_epoch();
	return l->error;
}

static struct symbol *find(const void *key, enum symbol_kind kind) {
	if (symbols.room == 0)
		return NULL;
	struct symbol *s = slot_of(key);
	return s->key != NULL && s->module != NULL && s->kind == kind ? s : NULL;
}

cudaError_t module_number(void **registered, uint64_t *handle) {
	struct module *m = (struct module *)registered;
	pthread_mutex_lock(&symbols.lock);
	cudaError_t error = load(m);
	*handle = m->on[wire_current_device()].handle;
	pthread_mutex_unlock(&symbols.lock);
	return error;
}

const struct wire_function *kernel_of(const void *key, cudaError_t *error) {
	const struct wire_function *f = NULL;
	pthread_mutex_lock(&symbols.lock);
	struct symbol *s = find(key, SYMBOL_KERNEL);
	struct found *known = s == NULL ? NULL : found_of(s);
	*error = s == NULL ? cudaErrorInvalidDeviceFunction : known == NULL ? cudaErrorMemoryAllocation : load(s->module);
	if (*error == cudaSuccess) {
		if (known->function == NULL)
			known->function = wire_function(s->module->on[wire_current_device()].handle, s->name, error);
		if (*error == 500)
			*error = cudaErrorInvalidDeviceFunction;
		f = known->function;
	}
	pthread_mutex_unlock(&symbols.lock);
	return f;
}

const char *kernel_name(const void *key) {
	pthread_mutex_lock(&symbols.lock);
	struct symbol *s = find(key, SYMBOL_KERNEL);
	const char *name = s == NULL ? NULL : s->name;
	pthread_mutex_unlock(&symbols.lock);
	return name;
}

cudaError_t variable_of(const void *key, uint64_t *address, uint64_t *size) {
	pthread_mutex_lock(&symbols.lock);
	struct symbol *s = find(key, SYMBOL_VARIABLE);
	struct found *known = s == NULL ? NULL : found_of(s);
	cudaError_t error = s == NULL ? cudaErrorInvalidSymbol : known == NULL ? cudaErrorMemoryAllocation : load(s->module);
	if (error == cudaSuccess && known->address == 0)
		error = wire_variable(s->module->on[wire_current_device()].handle, s->name, &known->address, &known->size);
	if (error == cudaSuccess)
		*address = known->address, *size = known->size;
	pthread_mutex_unlock(&symbols.lock);
	return error == 500 ? cudaErrorInvalidSymbol : error;
}

cudaError_t texture_of(const void *key, uint64_t *module, const char **name, int *fraction) {
	pthread_mutex_lock(&symbols.lock);
	struct symbol *s = find(key, SYMBOL_TEXTURE);
	enum { INVALID_TEXTURE = 18 };
	cudaError_t error = s == NULL ? INVALID_TEXTURE : load(s->module);
	if (error == cudaSuccess)
		*module = s->module->on[wire_current_device()].handle, *name = s->name, *fraction = s->fraction;
	pthread_mutex_unlock(&symbols.lock);
	return error;
}

// The configuration between <<< and >>>, which the stub of the kernel takes off again. A
// configuration may hold launches, so they are a stack.
struct configuration {
	dim3 grid, block;
	size_t shared;
	void *stream;
};
enum { DEPTH = 64 };
static __thread struct configuration stack[DEPTH];
static __thread int depth;

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
	if (depth == DEPTH)
		return 1;
	stack[depth++] = (struct configuration){grid, block, shared, stream};
	return 0;
}

EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
	if (depth == 0)
		return failed(cudaErrorInvalidConfiguration);
	struct configuration c = stack[--depth];
	*grid = c.grid, *block = c.block, *shared = c.shared, *(void **)stream = c.stream;
	return cudaSuccess;
}

cudaError_t launch_packed(const struct wire_function *f, const struct kernel_params *p, int cooperative, int overlaps, const void *block, size_t size) {
	struct wire_launch l = {
		.function = f->id,
		.grid = {p->grid.x, p->grid.y, p->grid.z},
		.block = {p->block.x, p->block.y, p->block.z},
		.shared = p->shared,
		.cooperative = cooperative,
		.overlaps = overlaps,
	};
	return wire_launch(&l, f, NULL, block, size);
}

static cudaError_t launch(const void *key, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream, int cooperative, int overlaps, dim3 cluster) {
	struct graph *g = recording(stream);
	if (g != NULL && device_of_stream(stream) != wire_current_device())
		return failed(cudaErrorInvalidResourceHandle);
	if (g != NULL)
		return failed(captured_launch(stream, record_launch(g, &(struct kernel_params){(void *)key, grid, block, shared, args, NULL}, cooperative), overlaps));
	cudaError_t error;
	const struct wire_function *f = kernel_of(key, &error);
	if (f == NULL)
		return failed(error);
	struct wire_launch l = {
		.function = f->id,
		.grid = {grid.x, grid.y, grid.z},
		.block = {block.x, block.y, block.z},
		.cluster = {cluster.x, cluster.y, cluster.z},
		.shared = shared,
		.cooperative = cooperative,
		.overlaps = overlaps,
	};
	return failed(IN(stream_id(stream), wire_launch(&l, f, args, NULL, 0)));
}

EXPORT cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
	return launch(kernel, grid, block, args, shared, stream, 0, 0, (dim3){0, 0, 0});
}
PTSZ(cudaError_t, cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))

EXPORT cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
	return launch(kernel, grid, block, args, shared, stream, 1, 0, (dim3){0, 0, 0});
}
PTSZ(cudaError_t, cudaLaunchCooperativeKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))

// handle_of is the driver's handle of a kernel, which both APIs take: here it is another symbol of the kernel.
cudaError_t handle_of(const void *key, const void **handle) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(key, &error);
	if (f == NULL)
		return error;
	pthread_mutex_lock(&symbols.lock);
	struct symbol s = *find(key, SYMBOL_KERNEL);
	pthread_mutex_unlock(&symbols.lock);
	int (*function)(const void **, uint64_t, const char *) = driver_function("ptxsan_function");
	if (function == NULL)
		return cudaErrorNotSupported;
	error = function(handle, f->module, s.name);
	if (error == cudaSuccess && kernel_name(*handle) != s.name)
		add(s.module, SYMBOL_KERNEL, *handle, s.name);
	return error;
}

EXPORT cudaError_t cudaGetFuncBySymbol(const void **function, const void *symbol) {
	return failed(function == NULL ? cudaErrorInvalidValue : handle_of(symbol, function));
}
SAME_AS(cudaGetFuncBySymbol) cudaError_t cudaGetKernel(const void **, const void *);

// From CUDA 13 on compiled code launches kernels by a handle, which here is the host's symbol.
EXPORT cudaError_t __cudaGetKernel(const void **handle, const void *kernel) {
	*handle = kernel;
	return cudaSuccess;
}
SAME_AS(cudaLaunchKernel) cudaError_t __cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
PTSZ(cudaError_t, __cudaLaunchKernel, (const void *, dim3, dim3, void **, size_t, cudaStream_t))

EXPORT cudaError_t cudaLaunchKernelExC(const struct runtime_launch_config *c, const void *kernel, void **args) {
	uint32_t cooperative = 0, cluster[3] = {0, 0, 0};
	struct launch_order order = {0};
	launch_attributes(c->attributes, c->nattributes, &cooperative, cluster, &order);
	cudaError_t error = launch(kernel, (dim3){c->grid[0], c->grid[1], c->grid[2]}, (dim3){c->block[0], c->block[1], c->block[2]}, args, c->shared, c->stream, (int)cooperative, (int)order.overlaps, (dim3){cluster[0], cluster[1], cluster[2]});
	return error == cudaSuccess ? launch_events(&order, c->stream) : error;
}
PTSZ(cudaError_t, cudaLaunchKernelExC, (const struct runtime_launch_config *, const void *, void **))
