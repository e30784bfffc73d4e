// What is loaded before an application with NVIDIA's shared runtime: the function by which code that nvcc
// and clang make hands its fat binaries to the runtime. The runtime may load them in ways that no library
// sees, so that it is given the instrumented PTX from the beginning.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

// What __cudaRegisterFatBinary is given.
#define WRAPPER_MAGIC 0x466243b1
struct wrapper {
	int magic, version;
	const void *image;
	const void *const *images; // of relocatable device code, up to null
};
enum { SINGLE = 1, RELOCATABLE = 2 };

typedef void **(*register_function)(void *);

// runtimes_own is the runtime's function: that of the next library, or of a runtime that was loaded for
// somebody alone.
static register_function runtimes_own(void) {
	static const char *const names[] = {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0", "libcudart.so.10.2", "libcudart.so.10.1", "libcudart.so.10.0"};
	void *found = dlsym(RTLD_NEXT, "__cudaRegisterFatBinary");
	for (size_t i = 0; found == NULL && i < sizeof names / sizeof *names; i++) {
		void *library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
		if (library != NULL)
			found = dlsym(library, "__cudaRegisterFatBinary");
	}
	return (register_function)found;
}

// instrumented is the image of what a wrapper holds, of relocatable code the linked one; null when it is left to
// the runtime.
static const void *instrumented(const struct wrapper *w) {
	void *shim = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
	int single = w->version == SINGLE;
	if (shim == NULL || w->magic != WRAPPER_MAGIC || (!single && (w->version != RELOCATABLE || w->images == NULL)))
		return NULL;
	void *function = dlsym(shim, single ? "attached_register" : "attached_register_all");
	if (function == NULL)
		return NULL;
	return single ? ((const void *(*)(const void *))function)(w->image) : ((const void *(*)(const void *const *))function)(w->images);
}

__attribute__((visibility("default"))) void **__cudaRegisterFatBinary(void *data) {
	struct wrapper *w = data, *copy;
	register_function own = runtimes_own();
	if (own == NULL)
		return NULL;
	const void *image = instrumented(w);
	if (image == NULL || (copy = malloc(sizeof *copy)) == NULL)
		return own(data);
	*copy = *w; // the application's may be in memory that is not to be written
	copy->version = SINGLE, copy->image = image, copy->images = NULL;
	return own(copy);
}
