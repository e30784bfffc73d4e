// All names of an API, so that applications load that mention one which does nothing here. A
// function of another file takes the place of the one here, which is weak. A call is told once
// for each name, and returns "not supported".
#include "wire.h"

#define MISSING(name)                                                           \
	__attribute__((weak, visibility("default"))) int name(void) {               \
		return wire_missing(LIBRARY, #name);                                    \
	}

// A section that tells executables with the static library from those with NVIDIA's.
__attribute__((section(".ptxsan"), used)) static const char marker[] = "ptxsan";

#include NAMES
