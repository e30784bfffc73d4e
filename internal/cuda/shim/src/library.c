// Calls of the drop-in libraries over the runtime.
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 32 };

uint32_t library_stream(struct stream *s) {
	enum { LEGACY = 1, PER_THREAD = 2 };
	if ((uintptr_t)s == PER_THREAD)
		return wire_thread_stream();
	return (uintptr_t)s <= LEGACY ? 0 : LIVE(s) ? s->id : WIRE_NO_STREAM;
}

struct library_argument library_value(uint64_t v) { return (struct library_argument){.words = {v}}; }

struct library_argument library_pointer(const void *p) { return library_value((uint64_t)p); }

struct library_argument library_float(double v) {
	struct library_argument a = {0};
	memcpy(a.words, &v, sizeof v);
	return a;
}

struct library_argument library_scalar(const struct library_handle *h, const void *p, size_t size) {
	struct library_argument a = {.on_device = h != NULL && h->device_scalars, .words = {(uint64_t)p}};
	if (!a.on_device && p != NULL)
		memcpy(a.words, p, size);
	return a;
}

struct library_argument library_result(const struct library_handle *h, void *p, size_t size) {
	if (h != NULL && h->device_scalars)
		return (struct library_argument){.on_device = 1, .words = {(uint64_t)p}};
	return (struct library_argument){.result = p, .size = size};
}

int library_version(void) {
	Dl_info own;
	const char *version = dladdr((void *)library_version, &own) != 0 ? strstr(own.dli_fname, ".so.") : NULL;
	return version == NULL ? 0 : atoi(version + strlen(".so."));
}

// exchange makes a request, or a node of what a stream captures.
static int exchange(struct stream *capturing, const char *name, const struct library_argument *list, size_t n) {
	struct {
		uint32_t on_device, reserved;
		uint64_t words[2];
	} request[MOST];
	uint64_t results[MOST][2];
	size_t got = 0, next = 0;
	for (size_t i = 0; i < n; i++)
		memcpy(&request[i], &list[i], sizeof request[i]);
	struct wire_part parts[] = {{name, strlen(name) + 1}, {request, n * sizeof *request}};
	if (capturing != NULL)
		return capturing->request(capturing, OP_LIBRARY, parts, 2);
	int error = wire_call(OP_LIBRARY, parts, 2, results, sizeof results, &got);
	for (size_t i = 0; error == WIRE_OK && i < n; i++)
		if (list[i].size > 0 && (next + 1) * sizeof *results <= got) {
			if (list[i].result != NULL)
				memcpy(list[i].result, results[next], list[i].size);
			next++;
		}
	return error;
}

// returns reports whether the host gets a result, which a graph that is launched later cannot give.
static int returns(const struct library_argument *list, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (list[i].size > 0)
			return 1;
	return 0;
}

int library_call(const struct library_handle *h, const char *name, const struct library_argument *list, size_t n) {
	uint32_t stream = library_stream(h == NULL ? NULL : h->stream);
	struct stream *capturing = wire_capturing(stream); // whose graph gets a node
	char text[128];
	size_t length = strlen(name);
	if (n > MOST)
		return WIRE_INVALID_VALUE;
	if (capturing != NULL && returns(list, n)) {
		snprintf(text, sizeof text, "%.*s with a result for the host in a stream that is captured", (int)(length > 3 && strcmp(name + length - 3, "_v2") == 0 ? length - 3 : length), name);
		return wire_missing(LIBRARY, text);
	}
	return IN(stream, exchange(capturing, name, list, n));
}

size_t library_mixed(int compute, int type) {
	enum { COMPLEX_FLOAT = 4, COMPLEX_DOUBLE = 5 };
	size_t size = sizeof(float);
	switch (compute) {
	case 64: case 65: case 2: size = 2; break;                                          // half
	case 70: case 71: case 1: case COMPLEX_DOUBLE: size = sizeof(double); break;
	default: break;
	}
	return type == COMPLEX_FLOAT || type == COMPLEX_DOUBLE ? 2 * size : size;
}
