// Mipmapped arrays of the runtime API: the levels lie one after the other in one allocation.
#include "cudart_array.h"

#include <stdlib.h>

struct mipmap {
	unsigned count;
	struct array levels[];
};

static size_t half(size_t n) { return n > 1 ? n / 2 : n; }

static size_t bytes(const struct array *a) {
	return element_size(&a->channel) * a->extent.width * at_least_1(a->extent.height) * at_least_1(a->extent.depth);
}

// most is how many levels halving gives.
static unsigned most(struct extent e, int layered) {
	unsigned n = 1;
	for (size_t w = e.width, h = e.height, d = layered ? 1 : e.depth; w > 1 || h > 1 || d > 1; n++)
		w /= 2, h /= 2, d /= 2;
	return n;
}

EXPORT cudaError_t cudaMallocMipmappedArray(struct mipmap **out, const struct channel *c, struct extent e, unsigned levels, unsigned flags) {
	int layered = (flags & (ARRAY_LAYERED | ARRAY_CUBEMAP)) != 0;
	if (element_size(c) == 0 || e.width == 0 || levels == 0)
		return failed(cudaErrorInvalidValue);
	if (levels > most(e, layered))
		levels = most(e, layered);
	struct mipmap *m = calloc(1, sizeof *m + levels * sizeof *m->levels);
	if (m == NULL)
		return failed(cudaErrorMemoryAllocation);
	size_t size = 0;
	for (m->count = 0; m->count < levels; m->count++) {
		struct array *a = &m->levels[m->count];
		*a = (struct array){size, *c, e, flags};
		size += bytes(a);
		e = (struct extent){half(e.width), half(e.height), layered ? e.depth : half(e.depth)};
	}
	uint64_t address;
	cudaError_t error = wire_alloc(size, WIRE_DEVICE_MEMORY, &address);
	if (error != cudaSuccess) {
		free(m);
		return failed(error);
	}
	for (unsigned i = 0; i < levels; i++)
		m->levels[i].address += address;
	*out = m;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetMipmappedArrayLevel(struct array **out, struct mipmap *m, unsigned level) {
	if (level >= m->count)
		return failed(cudaErrorInvalidValue);
	*out = &m->levels[level]; // which lives as long as the mipmapped array
	return cudaSuccess;
}

EXPORT cudaError_t cudaFreeMipmappedArray(struct mipmap *m) {
	if (m == NULL)
		return cudaSuccess;
	cudaError_t error = wire_free(m->levels[0].address);
	free(m);
	return failed(error);
}

const struct array *mipmap_level(const struct mipmap *m, unsigned level) { return &m->levels[level]; }

unsigned mipmap_count(const struct mipmap *m) { return m->count; }
