// All names of an API, so that applications load that mention one which does nothing here. A
// function of another file takes the place of the one here, which is weak. A call is told once
// for each name, and returns NOT_SUPPORTED, which the command line of the compiler has.
#include "wire.h"

#define MISSING(name)                                                           \
	__attribute__((weak, visibility("default"))) int name(void) {               \
		int error = wire_missing(LIBRARY, #name);                               \
		return error == WIRE_NOT_SUPPORTED ? NOT_SUPPORTED : error;             \
	}

// A section that tells these libraries from NVIDIA's (redirect.c).
__attribute__((section(".ptxsan"), used)) static const char marker[] = "ptxsan";

#include NAMES
