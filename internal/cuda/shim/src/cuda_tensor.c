// Tensor maps of the driver API: descriptions of tensors for the asynchronous copies of sm_90 and later.
#include "cuda.h"

#include <string.h>

// CUtensorMap. Applications align it to 64 bytes; nothing here needs that.
struct tensor_map {
	unsigned char bytes[WIRE_TENSOR_MAP];
};

// tensor is what all kinds of maps have. False for a rank that no map has, or what is null.
static int tensor(struct wire_tensor_map *t, int type, uint32_t rank, const void *address, const uint64_t *dims, const uint64_t *strides, const uint32_t *steps, int interleave, int swizzle, int fill) {
	if (rank < 1 || rank > WIRE_TENSOR_RANK || dims == NULL || (strides == NULL && rank > 1) || steps == NULL)
		return 0;
	t->type = type, t->rank = rank, t->address = (uintptr_t)address, t->interleave = interleave, t->swizzle = swizzle, t->fill = fill;
	memcpy(t->dims, dims, rank * sizeof *dims);
	if (rank > 1)
		memcpy(t->strides, strides, (rank - 1) * sizeof *strides);
	memcpy(t->steps, steps, rank * sizeof *steps);
	return 1;
}

EXPORT CUresult cuTensorMapEncodeTiled(struct tensor_map *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave, int swizzle, int l2, int fill) {
	(void)l2;
	struct wire_tensor_map t = {0};
	if (map == NULL || box == NULL || !tensor(&t, type, rank, address, dims, strides, steps, interleave, swizzle, fill))
		return failed(CUDA_ERROR_INVALID_VALUE);
	memcpy(t.box, box, rank * sizeof *box);
	return failed(wire_tensor_map(&t, map));
}

EXPORT CUresult cuTensorMapEncodeIm2col(struct tensor_map *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides, const int *lower, const int *upper, uint32_t channels, uint32_t pixels, const uint32_t *steps, int interleave, int swizzle, int l2, int fill) {
	(void)l2;
	enum { LEAST = 3 };
	struct wire_tensor_map t = {.columns = 1, .channels = channels, .pixels = pixels};
	if (map == NULL || lower == NULL || upper == NULL || rank < LEAST || !tensor(&t, type, rank, address, dims, strides, steps, interleave, swizzle, fill))
		return failed(CUDA_ERROR_INVALID_VALUE);
	t.spatial = rank - 2;
	memcpy(t.lower, lower, t.spatial * sizeof *lower);
	memcpy(t.upper, upper, t.spatial * sizeof *upper);
	return failed(wire_tensor_map(&t, map));
}

EXPORT CUresult cuTensorMapEncodeIm2colWide(struct tensor_map *map, int type, uint32_t rank, void *address, const uint64_t *dims, const uint64_t *strides, int lower, int upper, uint32_t channels, uint32_t pixels, const uint32_t *steps, int interleave, int mode, int swizzle, int l2, int fill) {
	(void)l2;
	enum { MODES = 2 };
	struct wire_tensor_map t = {.columns = 2 + mode, .spatial = 1, .lower = {lower}, .upper = {upper}, .channels = channels, .pixels = pixels};
	if (map == NULL || mode < 0 || mode >= MODES || !tensor(&t, type, rank, address, dims, strides, steps, interleave, swizzle, fill))
		return failed(CUDA_ERROR_INVALID_VALUE);
	return failed(wire_tensor_map(&t, map));
}

EXPORT CUresult cuTensorMapReplaceAddress(struct tensor_map *map, void *address) {
	return failed(map == NULL ? CUDA_ERROR_INVALID_VALUE : wire_move_tensor_map(map, (uintptr_t)address));
}
