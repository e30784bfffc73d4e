// Copies of several boxes in one call, which are the same in both APIs.
#ifndef PTXSAN_BOXES_H
#define PTXSAN_BOXES_H

#include <stddef.h>

// CUDA_MEMCPY3D_BATCH_OP and cudaMemcpy3DBatchOp. Lengths of rows and heights are in elements, of one byte where there is no array; 0
// for those of the box.
enum { OPERAND_POINTER = 1, OPERAND_ARRAY };
struct operand {
	int kind;
	union {
		struct {
			void *address;
			size_t row, height;
			int location[2];
		} pointer;
		struct {
			struct array *array;
			size_t x, y, z;
		} array;
	};
};
struct box {
	struct operand from, to;
	size_t width, height, depth;
	int order;
	unsigned flags;
};

static inline struct array *array_of(const struct operand *o) { return o->kind == OPERAND_ARRAY ? o->array.array : NULL; }

// box_is_valid reports whether a box has operands of known kinds, and an extent.
static inline int box_is_valid(const struct box *b) {
	const struct operand *sides[] = {&b->from, &b->to};
	for (int i = 0; i < 2; i++)
		if (sides[i]->kind == OPERAND_ARRAY ? sides[i]->array.array == NULL : sides[i]->kind != OPERAND_POINTER)
			return 0;
	return b->width > 0 && b->height > 0 && b->depth > 0;
}

#endif
