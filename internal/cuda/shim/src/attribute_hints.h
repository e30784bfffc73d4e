// Attributes of streams and of kernels in graphs, for both APIs: those that say how fast something should be are accepted, and have no
// effect. Each library includes this where it has such functions.
#ifndef PTXSAN_ATTRIBUTE_HINTS_H
#define PTXSAN_ATTRIBUTE_HINTS_H

#include "wire.h"

#include <string.h>

enum { ATTRIBUTE_BYTES = 64 };
enum { HINT_ACCESS_POLICY = 1, HINT_WAITING = 3, HINT_PRIORITY = 8, HINT_DOMAIN_MAP = 9, HINT_DOMAIN = 10, HINT_CARVEOUT = 14 };

// attribute_hint is the error of setting an attribute: the name of the function is for the report.
static inline int attribute_hint(int what, const void *value, const char *library, const char *function) {
	if (value == NULL)
		return WIRE_INVALID_VALUE;
	switch (what) {
	case HINT_ACCESS_POLICY: case HINT_WAITING: case HINT_PRIORITY: case HINT_DOMAIN_MAP: case HINT_DOMAIN: case HINT_CARVEOUT:
		return wire_ready();
	}
	return wire_missing(library, function);
}

// no_attribute says that an attribute has its default value.
static inline int no_attribute(void *value) {
	if (value == NULL)
		return WIRE_INVALID_VALUE;
	memset(value, 0, ATTRIBUTE_BYTES);
	return wire_ready();
}

#endif
