// Several copies in one call, and copies with attributes, which say when the source is read and where the memory is.
#include "boxes.h"
#include "cudart_array.h"

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream);

static cudaError_t each(void *const *to, const void *const *from, const size_t *sizes, size_t count, cudaStream_t stream) {
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < count && error == cudaSuccess; i++)
		error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream);
	return error;
}

#if CUDA_MAJOR >= 13
EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, cudaStream_t stream) {
	(void)attributes, (void)indices, (void)nattributes;
	return each(to, from, sizes, count, stream);
}
PTSZ(cudaError_t, cudaMemcpyBatchAsync, (void *const *, const void *const *, const size_t *, size_t, void *, size_t *, size_t, cudaStream_t))
#else
EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, size_t *failing, cudaStream_t stream) {
	(void)attributes, (void)indices, (void)nattributes;
	cudaError_t error = each(to, from, sizes, count, stream);
	if (error != cudaSuccess && failing != NULL)
		*failing = SIZE_MAX; // no particular one
	return error;
}
PTSZ(cudaError_t, cudaMemcpyBatchAsync, (void *const *, const void *const *, const size_t *, size_t, void *, size_t *, size_t, size_t *, cudaStream_t))
#endif

EXPORT cudaError_t cudaMemcpyWithAttributesAsync(void *to, const void *from, size_t size, void *attributes, cudaStream_t stream) {
	(void)attributes;
	return cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
}
PTSZ(cudaError_t, cudaMemcpyWithAttributesAsync, (void *, const void *, size_t, void *, cudaStream_t))

// Where managed memory is concerns no program that is emulated.
EXPORT cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *sizes, size_t count, void *locations, size_t *indices, size_t nlocations, unsigned long long flags, cudaStream_t stream) {
	(void)p, (void)sizes, (void)count, (void)locations, (void)indices, (void)nlocations, (void)flags, (void)stream;
	return failed(wire_ready());
}
PTSZ(cudaError_t, cudaMemPrefetchBatchAsync, (void **, size_t *, size_t, void *, size_t *, size_t, unsigned long long, cudaStream_t))

// pitched_side is the memory of an operand that is a pointer.
static struct pitched pitched_side(const struct box *b, const struct operand *o, size_t element) {
	size_t row = o->pointer.row > 0 ? o->pointer.row : b->width;
	return (struct pitched){o->pointer.address, row * element, row, o->pointer.height > 0 ? o->pointer.height : b->height};
}

static cudaError_t copy_one(const struct box *b, cudaStream_t stream) {
	if (!box_is_valid(b))
		return failed(cudaErrorInvalidValue);
	const struct array *from = array_of(&b->from), *to = array_of(&b->to), *some = from != NULL ? from : to;
	size_t element = some != NULL ? element_size(&some->channel) : 1;
	struct copy3d c = {.extent = {b->width, b->height, b->depth}, .kind = cudaMemcpyDefault};
	if (from != NULL)
		c.from_array = (void *)from, c.from_position = (struct position){b->from.array.x, b->from.array.y, b->from.array.z};
	else
		c.from = pitched_side(b, &b->from, element);
	if (to != NULL)
		c.to_array = (void *)to, c.to_position = (struct position){b->to.array.x, b->to.array.y, b->to.array.z};
	else
		c.to = pitched_side(b, &b->to, element);
	return cudaMemcpy3DAsync(&c, stream);
}

static cudaError_t copy_boxes(size_t count, const struct box *list, cudaStream_t stream) {
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < count && error == cudaSuccess; i++)
		error = copy_one(&list[i], stream);
	return error;
}

#if CUDA_MAJOR >= 13
EXPORT cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct box *list, unsigned long long flags, cudaStream_t stream) {
	(void)flags;
	return copy_boxes(count, list, stream);
}
PTSZ(cudaError_t, cudaMemcpy3DBatchAsync, (size_t, struct box *, unsigned long long, cudaStream_t))
#else
EXPORT cudaError_t cudaMemcpy3DBatchAsync(size_t count, struct box *list, size_t *failing, unsigned long long flags, cudaStream_t stream) {
	(void)flags;
	cudaError_t error = copy_boxes(count, list, stream);
	if (error != cudaSuccess && failing != NULL)
		*failing = SIZE_MAX; // no particular one
	return error;
}
PTSZ(cudaError_t, cudaMemcpy3DBatchAsync, (size_t, struct box *, size_t *, unsigned long long, cudaStream_t))
#endif

EXPORT cudaError_t cudaMemcpy3DWithAttributesAsync(struct box *b, unsigned long long flags, cudaStream_t stream) {
	(void)flags;
	return copy_one(b, stream);
}
PTSZ(cudaError_t, cudaMemcpy3DWithAttributesAsync, (struct box *, unsigned long long, cudaStream_t))
