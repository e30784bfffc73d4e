// Textures and surfaces of the driver API.
#include "cuda_array.h"

#include <string.h>

// CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC.
enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };
struct resource {
	int kind;
	union {
		const struct array *array;
		const struct mipmap *mipmap;
		struct {
			CUdeviceptr address;
			int format;
			unsigned channels;
			size_t size;
		} linear;
		struct {
			CUdeviceptr address;
			int format;
			unsigned channels;
			size_t width, height, pitch;
		} pitched;
		int reserved[32];
	};
	unsigned flags;
};
struct texture {
	int address[3], filter;
	unsigned flags, anisotropy;
	int mip_filter;
	float bias, least_level, most_level, border[4];
};
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 16 };

CUresult describe_array(struct wire_texture *w, const struct array *a, unsigned levels) {
	if (a == NULL)
		return CUDA_ERROR_INVALID_VALUE;
	int layered = (a->d.flags & (ARRAY_LAYERED | ARRAY_CUBEMAP)) != 0;
	w->channels = a->d.channels, w->address = a->address, w->levels = levels;
	w->width = a->d.width, w->height = a->d.height;
	w->depth = layered ? 0 : a->d.depth, w->layers = layered ? a->d.depth : 0;
	w->dims = w->depth > 0 ? 3 : w->height > 0 ? 2 : 1;
	w->cube = (a->d.flags & ARRAY_CUBEMAP) != 0;
	return channel_format(a->d.format, &w->bits, &w->kind);
}

static CUresult describe(struct wire_texture *w, const struct resource *r) {
	int format;
	switch (r->kind) {
	case RESOURCE_ARRAY:
		return describe_array(w, r->array, 0);
	case RESOURCE_MIPMAPPED:
		return r->mipmap == NULL ? CUDA_ERROR_INVALID_VALUE : describe_array(w, mipmap_level(r->mipmap, 0), mipmap_count(r->mipmap));
	case RESOURCE_LINEAR:
		format = r->linear.format, w->channels = r->linear.channels, w->address = r->linear.address;
		w->dims = 1, w->buffer = 1;
		break;
	case RESOURCE_PITCHED:
		format = r->pitched.format, w->channels = r->pitched.channels, w->address = r->pitched.address;
		w->dims = 2, w->width = r->pitched.width, w->height = r->pitched.height, w->pitch = r->pitched.pitch;
		break;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
	CUresult error = channel_format(format, &w->bits, &w->kind);
	if (error == CUDA_SUCCESS && w->channels == 0)
		error = CUDA_ERROR_INVALID_VALUE;
	if (error == CUDA_SUCCESS && w->buffer)
		w->width = r->linear.size / (w->channels * w->bits / 8);
	return error;
}

// CUDA_RESOURCE_VIEW_DESC, up to its reserved part.
struct resource_view {
	int format;
	size_t width, height, depth;
	unsigned first_level, last_level, first_layer, last_layer;
};

EXPORT CUresult cuTexObjectCreate(uint64_t *object, const struct resource *r, const struct texture *t, const struct resource_view *view) {
	enum { FLOAT = 2 };
	static const struct resource_view same;
	struct wire_texture w = {0};
	if (view != NULL && memcmp(view, &same, sizeof same) != 0)
		return failed(wire_missing("libcuda", "a texture with a view of its resource"));
	if (object == NULL || r == NULL || t == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	CUresult error = describe(&w, r);
	if (error != CUDA_SUCCESS)
		return failed(error);
	for (int i = 0; i < 3; i++)
		w.mode[i] = t->address[i];
	memcpy(w.border, t->border, sizeof w.border);
	w.linear = t->filter, w.mip_linear = t->mip_filter;
	w.bias = t->bias, w.least = t->least_level, w.most = t->most_level;
	w.fraction = w.kind != FLOAT && w.bits < 32 && !(t->flags & READ_AS_INTEGER);
	w.normalized = (t->flags & NORMALIZED) != 0, w.srgb = (t->flags & SRGB) != 0;
	return failed(wire_texture(&w, object));
}

EXPORT CUresult cuSurfObjectCreate(uint64_t *object, const struct resource *r) {
	struct wire_texture w = {0};
	if (object == NULL || r == NULL || r->kind != RESOURCE_ARRAY)
		return failed(CUDA_ERROR_INVALID_VALUE);
	CUresult error = describe(&w, r);
	return failed(error != CUDA_SUCCESS ? error : wire_texture(&w, object));
}

EXPORT CUresult cuTexObjectDestroy(uint64_t object) {
	(void)object; // numbers are not used again
	return failed(wire_ready());
}

EXPORT CUresult cuSurfObjectDestroy(uint64_t object) {
	(void)object;
	return failed(wire_ready());
}
