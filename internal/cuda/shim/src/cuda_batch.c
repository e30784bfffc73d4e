// Copies of several boxes in one call.
#include "boxes.h"
#include "cuda_array.h"
#include "cuda_graph.h"

// side_of describes an operand for a copy of a box, in bytes.
static struct copy_side side_of(const struct box *b, const struct operand *o, size_t element) {
	enum { ARRAY = 3, UNIFIED = 4 };
	if (o->kind == OPERAND_ARRAY)
		return (struct copy_side){.x = o->array.x * element, .y = o->array.y, .z = o->array.z, .type = ARRAY, .array = o->array.array};
	size_t row = o->pointer.row > 0 ? o->pointer.row : b->width;
	return (struct copy_side){.type = UNIFIED, .device = (CUdeviceptr)o->pointer.address, .pitch = row * element, .height = o->pointer.height};
}

static CUresult copy_one(const struct box *b, CUstream stream) {
	if (!box_is_valid(b))
		return failed(CUDA_ERROR_INVALID_VALUE);
	const struct array *some = array_of(&b->from) != NULL ? array_of(&b->from) : array_of(&b->to);
	unsigned bits = 8, kind;
	CUresult error = some != NULL ? channel_format(some->d.format, &bits, &kind) : CUDA_SUCCESS;
	if (error != CUDA_SUCCESS)
		return failed(error);
	size_t element = bits / 8 * (some != NULL ? some->d.channels : 1);
	struct copy3d c = {side_of(b, &b->from, element), side_of(b, &b->to, element), b->width * element, b->height, b->depth};
	return cuMemcpy3DAsync(&c, stream);
}

EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t count, struct box *list, unsigned long long flags, CUstream stream) {
	(void)flags;
	CUresult error = CUDA_SUCCESS;
	for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++)
		error = copy_one(&list[i], stream);
	return error;
}
PTSZ(cuMemcpy3DBatchAsync_v2, (size_t, struct box *, unsigned long long, CUstream))

EXPORT CUresult cuMemcpy3DBatchAsync(size_t count, struct box *list, size_t *failing, unsigned long long flags, CUstream stream) {
	CUresult error = cuMemcpy3DBatchAsync_v2(count, list, flags, stream);
	if (error != CUDA_SUCCESS && failing != NULL)
		*failing = SIZE_MAX; // no particular one
	return error;
}
PTSZ(cuMemcpy3DBatchAsync, (size_t, struct box *, size_t *, unsigned long long, CUstream))

EXPORT CUresult cuMemcpy3DWithAttributesAsync(struct box *b, unsigned long long flags, CUstream stream) {
	(void)flags;
	return copy_one(b, stream);
}
PTSZ(cuMemcpy3DWithAttributesAsync, (struct box *, unsigned long long, CUstream))
