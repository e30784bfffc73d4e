// A stand-in for libcudart_static.a: all functions of the runtime's API that VERSION has, as hidden ones, none of which does
// anything. A call that is not redirected ends the program.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((used)) static const char text[] = "__global__ function call is not configured";

__attribute__((used)) static void *(*const finds_driver)(void *, const char *) = dlsym;

// Code without an address, by which it is found, of each version its own.
__attribute__((used)) static unsigned mix(unsigned h) {
	for (int i = 0; i < 9; i++)
		h = (h ^ h >> 16) * 0x85ebca6bu, h = (h ^ h >> 13) * 0xc2b2ae35u, h ^= h << 5, h += 0x9e3779b9u + VERSION;
	return h ^ h >> 11;
}

static int reached(const char *name) {
	fprintf(stderr, "%s was not redirected\n", name);
	exit(9);
}

#define FUNCTION(name) \
	__attribute__((visibility(VISIBILITY))) int name(void) { return reached(#name); }
#define MISSING(name) FUNCTION(name)

#if VERSION >= 12
#define cudaBindTexture removed_in_12
#endif
#if VERSION != 12
#define cudaGetDeviceProperties_v2 only_in_12
#endif
#if VERSION < 11
#define cudaCtxResetPersistingL2Cache added_in_11
#endif
#include "cudart_names.h"
