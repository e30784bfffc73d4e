// Arrays, textures and surfaces of the runtime API. An array is memory of the device whose
// rows, slices and layers lie one after the other without gaps.
#include "cudart_array.h"

#include <stdlib.h>
#include <string.h>

EXPORT struct channel cudaCreateChannelDesc(int x, int y, int z, int w, int kind) { return (struct channel){x, y, z, w, kind}; }

static int channels(const struct channel *c) { return (c->x > 0) + (c->y > 0) + (c->z > 0) + (c->w > 0); }

EXPORT cudaError_t cudaMalloc3DArray(struct array **out, const struct channel *c, struct extent e, unsigned flags) {
	if (element_size(c) == 0 || e.width == 0)
		return failed(cudaErrorInvalidValue);
	struct array *a = calloc(1, sizeof *a);
	if (a == NULL)
		return failed(cudaErrorMemoryAllocation);
	*a = (struct array){0, *c, e, flags};
	cudaError_t error = wire_alloc(element_size(c) * e.width * at_least_1(e.height) * at_least_1(e.depth), WIRE_DEVICE_MEMORY, &a->address);
	if (error != cudaSuccess) {
		free(a);
		return failed(error);
	}
	*out = a;
	return cudaSuccess;
}

EXPORT cudaError_t cudaMallocArray(struct array **out, const struct channel *c, size_t width, size_t height, unsigned flags) {
	return cudaMalloc3DArray(out, c, (struct extent){width, height, 0}, flags);
}

EXPORT cudaError_t cudaFreeArray(struct array *a) {
	if (a == NULL)
		return cudaSuccess;
	cudaError_t error = wire_free(a->address);
	free(a);
	return failed(error);
}

EXPORT cudaError_t cudaArrayGetInfo(struct channel *c, struct extent *e, unsigned *flags, struct array *a) {
	if (c != NULL)
		*c = a->channel;
	if (e != NULL)
		*e = a->extent;
	if (flags != NULL)
		*flags = a->flags;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetChannelDesc(struct channel *c, const struct array *a) {
	*c = a->channel;
	return cudaSuccess;
}

// array_memory is an array as pitched memory.
struct pitched array_memory(const struct array *a) {
	size_t row = a->extent.width * element_size(&a->channel);
	return (struct pitched){(void *)a->address, row, row, at_least_1(a->extent.height)};
}

// without_arrays describes a copy that involves arrays as one of pitched memory: positions in
// an array, and the width if there is one, are in elements, others in bytes.
struct copy3d without_arrays(const struct copy3d *c) {
	struct copy3d out = *c;
	const struct array *from = c->from_array, *to = c->to_array;
	if (from != NULL) {
		out.from = array_memory(from);
		out.from_position.x *= element_size(&from->channel);
		out.from_array = NULL;
	}
	if (to != NULL) {
		out.to = array_memory(to);
		out.to_position.x *= element_size(&to->channel);
		out.to_array = NULL;
	}
	out.extent.width *= element_size(&(from != NULL ? from : to)->channel);
	return out;
}

// rectangle describes a copy between an array, from a position in bytes and rows on, and memory.
static struct copy3d rectangle(const struct array *a, size_t x, size_t y, void *memory, size_t pitch, size_t width, size_t height, int kind, int to_array) {
	struct pitched in = array_memory(a), out = {memory, pitch, width, height};
	struct position p = {x, y, 0}, origin = {0, 0, 0};
	struct copy3d c = {.extent = {width, height, 1}, .kind = kind};
	c.from = to_array ? out : in, c.from_position = to_array ? origin : p;
	c.to = to_array ? in : out, c.to_position = to_array ? p : origin;
	return c;
}

EXPORT cudaError_t cudaMemcpy2DToArrayAsync(struct array *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind, cudaStream_t s) {
	struct copy3d c = rectangle(to, x, y, (void *)from, pitch, width, height, kind, 1);
	return cudaMemcpy3DAsync(&c, s);
}
PTSZ(cudaError_t, cudaMemcpy2DToArrayAsync, (struct array *, size_t, size_t, const void *, size_t, size_t, size_t, int, cudaStream_t))

EXPORT cudaError_t cudaMemcpy2DToArray(struct array *to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind) {
	struct copy3d c = rectangle(to, x, y, (void *)from, pitch, width, height, kind, 1);
	return failed(copy3d(&c));
}
PTDS(cudaError_t, cudaMemcpy2DToArray, (struct array *, size_t, size_t, const void *, size_t, size_t, size_t, int))

EXPORT cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, struct array *from, size_t x, size_t y, size_t width, size_t height, int kind, cudaStream_t s) {
	struct copy3d c = rectangle(from, x, y, to, pitch, width, height, kind, 0);
	return cudaMemcpy3DAsync(&c, s);
}
PTSZ(cudaError_t, cudaMemcpy2DFromArrayAsync, (void *, size_t, struct array *, size_t, size_t, size_t, size_t, int, cudaStream_t))

EXPORT cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, struct array *from, size_t x, size_t y, size_t width, size_t height, int kind) {
	struct copy3d c = rectangle(from, x, y, to, pitch, width, height, kind, 0);
	return failed(copy3d(&c));
}
PTDS(cudaError_t, cudaMemcpy2DFromArray, (void *, size_t, struct array *, size_t, size_t, size_t, size_t, int))

EXPORT cudaError_t cudaMemcpyToArray(struct array *to, size_t x, size_t y, const void *from, size_t size, int kind) {
	struct pitched memory = array_memory(to);
	return failed(transfer((char *)memory.ptr + y * memory.pitch + x, from, size, kind));
}
PTDS(cudaError_t, cudaMemcpyToArray, (struct array *, size_t, size_t, const void *, size_t, int))

EXPORT cudaError_t cudaMemcpyFromArray(void *to, struct array *from, size_t x, size_t y, size_t size, int kind) {
	struct pitched memory = array_memory(from);
	return failed(transfer(to, (char *)memory.ptr + y * memory.pitch + x, size, kind));
}
PTDS(cudaError_t, cudaMemcpyFromArray, (void *, struct array *, size_t, size_t, size_t, int))

cudaError_t describe_texture(struct wire_texture *w, const struct resource *r) {
	const struct channel *c;
	switch (r->kind) {
	case RESOURCE_ARRAY:
	case RESOURCE_MIPMAPPED: {
		const struct array *a = r->kind == RESOURCE_ARRAY ? r->array : mipmap_level(r->mipmap, 0);
		w->levels = r->kind == RESOURCE_ARRAY ? 0 : mipmap_count(r->mipmap);
		int layered = a->flags & (ARRAY_LAYERED | ARRAY_CUBEMAP);
		c = &a->channel;
		w->address = a->address;
		w->width = a->extent.width, w->height = a->extent.height;
		w->depth = layered ? 0 : a->extent.depth, w->layers = layered ? a->extent.depth : 0;
		w->dims = w->depth > 0 ? 3 : w->height > 0 ? 2 : 1;
		w->cube = (a->flags & ARRAY_CUBEMAP) != 0;
		break;
	}
	case RESOURCE_LINEAR:
		c = &r->linear.channel;
		if (element_size(c) == 0)
			return cudaErrorInvalidValue;
		w->address = r->linear.address, w->dims = 1, w->buffer = 1;
		w->width = r->linear.size / element_size(c);
		break;
	case RESOURCE_PITCHED:
		c = &r->pitched.channel;
		w->address = r->pitched.address, w->dims = 2, w->pitch = r->pitched.pitch;
		w->width = r->pitched.width, w->height = r->pitched.height;
		break;
	default:
		return cudaErrorInvalidValue;
	}
	w->channels = channels(c), w->bits = c->x, w->kind = c->kind;
	return cudaSuccess;
}

// without_view is an error for a view of a resource, except for one that changes nothing.
static cudaError_t without_view(const struct resource_view *v) {
	static const struct resource_view same;
	return v == NULL || memcmp(v, &same, sizeof same) == 0 ? cudaSuccess : wire_missing("libcudart", "a texture with a view of its resource");
}

EXPORT cudaError_t cudaCreateTextureObject(uint64_t *object, const struct resource *r, const struct texture *t, const struct resource_view *view) {
	if (without_view(view) != cudaSuccess)
		return failed(cudaErrorNotSupported);
	struct wire_texture w = {0};
	cudaError_t error = describe_texture(&w, r);
	if (error != cudaSuccess)
		return failed(error);
	for (int i = 0; i < 3; i++)
		w.mode[i] = t->address[i];
	memcpy(w.border, t->border, sizeof w.border);
	w.linear = t->filter, w.fraction = t->read, w.srgb = t->srgb, w.normalized = t->normalized, w.mip_linear = t->mip_filter;
	w.bias = t->bias, w.least = t->least, w.most = t->most;
	return failed(wire_texture(&w, object));
}
SAME_AS(cudaCreateTextureObject) cudaError_t cudaCreateTextureObject_v2(uint64_t *, const struct resource *, const struct texture *, const struct resource_view *);

EXPORT cudaError_t cudaCreateSurfaceObject(uint64_t *object, const struct resource *r) {
	struct wire_texture w = {0};
	cudaError_t error = describe_texture(&w, r);
	return failed(error != cudaSuccess ? error : wire_texture(&w, object));
}

EXPORT cudaError_t cudaDestroyTextureObject(uint64_t object) {
	(void)object; // numbers are not used again
	return cudaSuccess;
}

EXPORT cudaError_t cudaDestroySurfaceObject(uint64_t object) {
	(void)object;
	return cudaSuccess;
}
