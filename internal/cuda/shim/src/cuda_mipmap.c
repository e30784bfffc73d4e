// Mipmapped arrays of the driver API: the levels lie one after the other in one allocation.
#include "cuda_array.h"

#include <stdlib.h>

struct mipmap {
	unsigned count;
	struct array levels[];
};

static size_t half(size_t n) { return n > 1 ? n / 2 : n; }

// most is how many levels halving gives.
static unsigned most(const struct array3d *d, int layered) {
	unsigned n = 1;
	for (size_t w = d->width, h = d->height, z = layered ? 1 : d->depth; w > 1 || h > 1 || z > 1; n++)
		w /= 2, h /= 2, z /= 2;
	return n;
}

EXPORT CUresult cuMipmappedArrayCreate(struct mipmap **out, const struct array3d *d, unsigned levels) {
	unsigned bits, kind;
	if (out == NULL || d == NULL || levels == 0 || d->width == 0 || channel_format(d->format, &bits, &kind) != CUDA_SUCCESS)
		return failed(CUDA_ERROR_INVALID_VALUE);
	if (d->channels != 1 && d->channels != 2 && d->channels != 4)
		return failed(CUDA_ERROR_INVALID_VALUE);
	int layered = (d->flags & (ARRAY_LAYERED | ARRAY_CUBEMAP)) != 0;
	if (levels > most(d, layered))
		levels = most(d, layered);
	struct mipmap *m = calloc(1, sizeof *m + levels * sizeof *m->levels);
	if (m == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	size_t size = 0;
	struct array3d level = *d;
	for (m->count = 0; m->count < levels; m->count++) {
		size_t row = level.width * d->channels * bits / 8;
		m->levels[m->count] = (struct array){.address = size, .row = row, .d = level};
		size += row * at_least_1(level.height) * at_least_1(level.depth);
		level.width = half(level.width), level.height = half(level.height);
		level.depth = layered ? level.depth : half(level.depth);
	}
	uint64_t address;
	CUresult error = wire_alloc(size, WIRE_DEVICE_MEMORY, &address);
	if (error != CUDA_SUCCESS) {
		free(m);
		return failed(error);
	}
	for (unsigned i = 0; i < levels; i++)
		m->levels[i].address += address;
	*out = m;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayGetLevel(struct array **out, struct mipmap *m, unsigned level) {
	if (m == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	if (out == NULL || level >= m->count)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*out = &m->levels[level]; // which lives as long as the mipmapped array
	return CUDA_SUCCESS;
}

EXPORT CUresult cuMipmappedArrayDestroy(struct mipmap *m) {
	if (m == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	CUresult error = wire_free(m->levels[0].address);
	free(m);
	return failed(error);
}

const struct array *mipmap_level(const struct mipmap *m, unsigned level) { return &m->levels[level]; }

unsigned mipmap_count(const struct mipmap *m) { return m->count; }
