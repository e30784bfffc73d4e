// All names of the driver API: each is a jump to the driver's function of that name, unless another file
// defines it.
#define _GNU_SOURCE
#include "attached.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The variable of the environment that names the driver's library.
#define DRIVER_VARIABLE "PTXSAN_GPU_DRIVER"

CUresult attached_absent(void) { return CUDA_ERROR_NOT_SUPPORTED; }

#if defined(__x86_64__)
#define JUMP(name) "\tjmp *slot_" name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "\tadrp x16, slot_" name "\n\tldr x16, [x16, :lo12:slot_" name "]\n\tbr x16\n"
#endif

#define MISSING(name)                                                        \
	__attribute__((visibility("hidden"))) void *slot_##name = attached_absent; \
	__asm__(".text\n\t.weak " #name "\n\t.type " #name ", @function\n" #name ":\n" JUMP(#name));
#include "cuda_names.h"
#undef MISSING

static const struct {
	const char *name;
	void **slot;
} slots[] = {
#define MISSING(name) {#name, &slot_##name},
#include "cuda_names.h"
#undef MISSING
};

__attribute__((constructor)) static void find_driver(void) {
	const char *path = getenv(DRIVER_VARIABLE);
	void *driver = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
	for (size_t i = 0; driver != NULL && i < sizeof slots / sizeof *slots; i++) {
		void *found = dlsym(driver, slots[i].name);
		if (found != NULL)
			*slots[i].slot = found;
	}
}

// Wrappers by their addresses alone: what they take is said where they are.
#define WRAPPER(name) extern const char wrapper_##name[] __asm__(#name);
#include "attached_names.h"
#undef WRAPPER

// own is the shim's function of a name, if it is one that does not only jump.
static void *own(const char *name) {
	static const struct {
		const char *name;
		void *function;
	} wrappers[] = {
#define WRAPPER(name) {#name, (void *)wrapper_##name},
#include "attached_names.h"
#undef WRAPPER
	};
	for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
		if (strcmp(wrappers[i].name, name) == 0)
			return wrappers[i].function;
	return NULL;
}

void *attached_wrapper(const char *name, void *real, int version, uint64_t flags) {
	enum { PER_THREAD = 2, FIVE_PARAMETERS = 12000 };
	static const char *const endings[] = {"_v2_ptsz", "_ptsz", "_v3", "_v2", ""};
	void *found;
	char versioned[128];
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
		if (*slots[i].slot == real && (found = own(slots[i].name)) != NULL)
			return found;
	if (strcmp(name, "cuGetProcAddress") == 0 && version < FIVE_PARAMETERS)
		return own(name);
	for (int i = flags & PER_THREAD ? 0 : 2; i < 5 && strlen(name) < 100; i++)
		if ((found = own(strcat(strcpy(versioned, name), endings[i]))) != NULL)
			return found;
	return real;
}
