// Arrays of the driver API, as its files share them.
#ifndef PTXSAN_CUDA_ARRAY_H
#define PTXSAN_CUDA_ARRAY_H

#include "cuda.h"

// CUarray_format.
enum {
	FORMAT_UINT8 = 1,
	FORMAT_UINT16 = 2,
	FORMAT_UINT32 = 3,
	FORMAT_INT8 = 8,
	FORMAT_INT16 = 9,
	FORMAT_INT32 = 10,
	FORMAT_HALF = 16,
	FORMAT_FLOAT = 32,
};

// Flags of arrays.
enum { ARRAY_LAYERED = 1, ARRAY_CUBEMAP = 4 };

// CUDA_ARRAY_DESCRIPTOR and CUDA_ARRAY3D_DESCRIPTOR: extents in elements, 0 for dimensions that an
// array does not have.
struct array2d {
	size_t width, height;
	int format;
	unsigned channels;
};
struct array3d {
	size_t width, height, depth;
	int format;
	unsigned channels, flags;
};

struct array {
	uint64_t address;
	size_t row; // bytes
	struct array3d d;
};

static inline size_t at_least_1(size_t n) { return n > 0 ? n : 1; }

// channel_format says how many bits of which kind, by CUDA's number, a channel has.
CUresult channel_format(int format, unsigned *bits, unsigned *kind);

// A mipmapped array: arrays of which each is half as large as the one before.
struct mipmap;
const struct array *mipmap_level(const struct mipmap *m, unsigned level);
unsigned mipmap_count(const struct mipmap *m);

// describe_array fills in what an array, or the first level of a mipmapped one, says of a texture.
CUresult describe_array(struct wire_texture *w, const struct array *a, unsigned levels);

#endif
