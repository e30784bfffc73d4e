// Texture and surface references, which CUDA 12 has no more: variables of a module that are bound to memory.
#include "cudart_array.h"

#include <string.h>

// textureReference, which the application's variable is.
struct reference {
	int normalized, filter, address[3];
	struct channel channel;
	int srgb;
	unsigned anisotropy;
	int mip_filter;
	float bias, least, most; // of the level of detail
};

// bound is the result of binding a reference. One that no kernel uses need not be in the module.
static cudaError_t bound(cudaError_t error) {
	enum { NOT_FOUND = 500 };
	return failed(error == NOT_FOUND ? cudaSuccess : error);
}

static cudaError_t bind(const struct reference *t, const struct resource *r) {
	struct wire_texture w = {0};
	const char *name;
	int fraction;
	cudaError_t error = texture_of(t, &w.module, &name, &fraction);
	if (error == cudaSuccess)
		error = describe_texture(&w, r);
	if (error != cudaSuccess)
		return failed(error);
	for (int i = 0; i < 3; i++)
		w.mode[i] = t->address[i];
	w.linear = t->filter, w.srgb = t->srgb, w.normalized = t->normalized, w.mip_linear = t->mip_filter;
	w.bias = t->bias, w.least = t->least, w.most = t->most;
	enum { FLOAT = 2 };
	w.fraction = fraction && w.kind != FLOAT;
	return bound(wire_bind(&w, name));
}

EXPORT cudaError_t cudaBindTexture(size_t *offset, const struct reference *t, const void *p, const struct channel *c, size_t size) {
	if (offset != NULL)
		*offset = 0;
	struct resource r = {.kind = RESOURCE_LINEAR, .linear = {(uint64_t)p, *c, size}};
	struct wire_pointer w;
	cudaError_t error = wire_pointer(r.linear.address, &w);
	if (error != cudaSuccess)
		return failed(error);
	size_t room = w.known ? w.size - (r.linear.address - w.base) : 0; // programs may say that the size has no limit
	if (size > room)
		r.linear.size = room;
	return bind(t, &r);
}

EXPORT cudaError_t cudaBindTexture2D(size_t *offset, const struct reference *t, const void *p, const struct channel *c, size_t width, size_t height, size_t pitch) {
	if (offset != NULL)
		*offset = 0;
	struct resource r = {.kind = RESOURCE_PITCHED, .pitched = {(uint64_t)p, *c, width, height, pitch}};
	return bind(t, &r);
}

EXPORT cudaError_t cudaBindTextureToArray(const struct reference *t, struct array *a, const struct channel *c) {
	(void)c;
	struct resource r = {.kind = RESOURCE_ARRAY, .array = a};
	return bind(t, &r);
}

EXPORT cudaError_t cudaBindTextureToMipmappedArray(const struct reference *t, struct mipmap *m, const struct channel *c) {
	(void)c;
	struct resource r = {.kind = RESOURCE_MIPMAPPED, .mipmap = m};
	return bind(t, &r);
}

EXPORT cudaError_t cudaUnbindTexture(const struct reference *t) {
	(void)t; // what it was bound to stays until it is bound to something else
	return failed(wire_ready());
}

EXPORT cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct reference *t) {
	(void)t;
	*offset = 0;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaGetTextureReference(const struct reference **t, const void *symbol) {
	*t = symbol;
	return failed(wire_ready());
}

// Surface references: variables of a module that are bound to arrays.
EXPORT cudaError_t cudaBindSurfaceToArray(const void *surface, struct array *a, const struct channel *c) {
	(void)c;
	struct wire_texture w = {0};
	struct resource r = {.kind = RESOURCE_ARRAY, .array = a};
	const char *name;
	int fraction;
	cudaError_t error = texture_of(surface, &w.module, &name, &fraction);
	if (error == cudaSuccess)
		error = describe_texture(&w, &r);
	return error != cudaSuccess ? failed(error) : bound(wire_bind(&w, name));
}

EXPORT cudaError_t cudaGetSurfaceReference(const void **surface, const void *symbol) {
	*surface = symbol;
	return failed(wire_ready());
}
