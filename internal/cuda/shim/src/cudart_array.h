// Arrays of the runtime API, as its files share them.
#ifndef PTXSAN_CUDART_ARRAY_H
#define PTXSAN_CUDART_ARRAY_H

#include "cudart_graph.h"

struct channel {
	int x, y, z, w, kind;
};

enum { ARRAY_LAYERED = 1, ARRAY_CUBEMAP = 4 };

struct array {
	uint64_t address;
	struct channel channel;
	struct extent extent; // in elements; 0 for dimensions that it does not have
	unsigned flags;
};

static inline size_t element_size(const struct channel *c) { return (c->x + c->y + c->z + c->w) / 8; }

static inline size_t at_least_1(size_t n) { return n > 0 ? n : 1; }

// A mipmapped array: arrays of which each is half as large as the one before.
struct mipmap;
const struct array *mipmap_level(const struct mipmap *m, unsigned level);
unsigned mipmap_count(const struct mipmap *m);

// cudaResourceDesc and cudaTextureDesc.
enum { RESOURCE_ARRAY, RESOURCE_MIPMAPPED, RESOURCE_LINEAR, RESOURCE_PITCHED };
struct resource {
	int kind;
	union {
		struct array *array;
		struct mipmap *mipmap;
		struct {
			uint64_t address;
			struct channel channel;
			size_t size;
		} linear;
		struct {
			uint64_t address;
			struct channel channel;
			size_t width, height, pitch;
		} pitched;
		char room[56];
	};
};
struct texture {
	int address[3], filter, read, srgb;
	float border[4];
	int normalized;
	unsigned anisotropy;
	int mip_filter;
	float bias, least, most; // of the level of detail
};

// cudaResourceViewDesc, up to its reserved part.
struct resource_view {
	int format;
	size_t width, height, depth;
	unsigned first_level, last_level, first_layer, last_layer;
};

// describe_texture fills in what a resource says of a texture.
cudaError_t describe_texture(struct wire_texture *w, const struct resource *r);

#endif
