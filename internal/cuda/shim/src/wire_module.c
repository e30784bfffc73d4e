// Modules, kernels, textures and tensor maps over the connection.
#include "wire_line.h"

#include <stdlib.h>
#include <string.h>

int wire_load(const void *image, uint64_t size, uint64_t *module) {
	struct {
		uint64_t module, overlaps;
	} reply = {0};
	struct wire_part part = {image, size};
	int error = wire_call(OP_MODULE, &part, 1, &reply, sizeof reply, NULL);
	*module = reply.module;
	if (reply.overlaps)
		line_orders();
	return error;
}

int wire_unload(uint64_t module) {
	struct wire_part part = {&module, sizeof module};
	return wire_call(OP_UNLOAD, &part, 1, NULL, 0, NULL);
}

int wire_variable(uint64_t module, const char *name, uint64_t *address, uint64_t *size) {
	uint64_t reply[2] = {0};
	struct wire_part parts[] = {{&module, sizeof module}, {name, strlen(name)}};
	int error = wire_call(OP_VARIABLE, parts, 2, reply, sizeof reply, NULL);
	if (error == WIRE_OK)
		*address = reply[0], *size = reply[1];
	return error;
}

struct wire_function *wire_function(uint64_t module, const char *name, int *error) {
	size_t room = sizeof(struct wire_function) + WIRE_MAX_PARAMS * sizeof(struct wire_param);
	struct wire_function *f = calloc(1, room);
	if (f == NULL) {
		*error = WIRE_OUT_OF_MEMORY;
		return NULL;
	}
	struct wire_part parts[] = {{&module, sizeof module}, {name, strlen(name)}};
	*error = wire_call(OP_FUNCTION, parts, 2, f, room, NULL);
	if (*error != WIRE_OK || f->nparams > WIRE_MAX_PARAMS) {
		free(f);
		return NULL;
	}
	return realloc(f, sizeof *f + f->nparams * sizeof(struct wire_param));
}

int wire_occupancy(const struct wire_device *d, const struct wire_function *f, unsigned threads, size_t shared) {
	enum { MOST = 32, WARP = 32 };
	if (threads > f->max_threads)
		return 0;
	size_t most = d->max_threads_per_multiprocessor / ((threads + WARP - 1) / WARP * WARP);
	if (f->shared + shared > 0 && d->shared_per_multiprocessor / (f->shared + shared) < most)
		most = d->shared_per_multiprocessor / (f->shared + shared);
	return most < MOST ? most : MOST;
}

size_t wire_dynamic_shared(const struct wire_device *d, const struct wire_function *f, int blocks) {
	size_t each = d->shared_per_multiprocessor / blocks;
	return each > f->shared ? each - f->shared : 0;
}

int wire_kernels(uint64_t module, int (*each)(const char *name, void *data), void *data) {
	uint64_t size = 0;
	struct wire_part part = {&module, sizeof module};
	int error = wire_call(OP_KERNELS, &part, 1, &size, sizeof size, NULL);
	char *names = error == WIRE_OK ? malloc(sizeof size + size) : NULL;
	if (names == NULL)
		return error == WIRE_OK ? WIRE_OUT_OF_MEMORY : error;
	error = wire_call(OP_KERNELS, &part, 1, names, sizeof size + size, NULL);
	for (const char *n = names + sizeof size; error == WIRE_OK && n < names + sizeof size + size; n += strlen(n) + 1)
		error = each(n, data);
	free(names);
	return error;
}

static int fault; // of a kernel, which nobody has been told of

int line_is_fault(int error) {
	enum { ILLEGAL_ADDRESS = 700, TIMEOUT = 702, ASSERT = 710, HARDWARE_STACK = 714, FAILURE = 719 };
	return error == ILLEGAL_ADDRESS || error == TIMEOUT || error == ASSERT || (error >= HARDWARE_STACK && error <= FAILURE);
}

// reach replaces addresses of registered memory in arguments by the device's: a GPU of Linux takes either.
static void reach(unsigned char *bytes, size_t size) {
	uint64_t word, device;
	for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
		memcpy(&word, bytes + at, sizeof word);
		if (wire_registered(word, &device))
			memcpy(bytes + at, &device, sizeof device);
	}
}

int wire_launch(const struct wire_launch *l, const struct wire_function *f, void *const *params, const void *block, size_t block_size) {
	unsigned char bytes[WIRE_MAX_PARAM_BYTES];
	if (params != NULL || block == NULL) {
		block_size = 0;
		for (uint32_t i = 0; i < f->nparams; i++) {
			struct wire_param p = f->params[i];
			if (params == NULL || params[i] == NULL || p.offset + p.size > sizeof bytes)
				return WIRE_INVALID_VALUE;
			if (p.offset > block_size)
				memset(bytes + block_size, 0, p.offset - block_size);
			memcpy(bytes + p.offset, params[i], p.size);
			block_size = p.offset + p.size;
		}
	} else if (block_size <= sizeof bytes) {
		memcpy(bytes, block, block_size);
	} else {
		return WIRE_INVALID_VALUE;
	}
	reach(bytes, block_size);
	block = bytes;
	struct wire_part parts[] = {{l, sizeof *l}, {block, block_size}};
	if (wire_sticky() != WIRE_OK)
		return wire_sticky();
	if (l->overlaps)
		line_orders();
	int error = wire_call(OP_LAUNCH, parts, 2, NULL, 0, NULL);
	if (!line_is_fault(error))
		return error;
	__atomic_store_n(&fault, error, __ATOMIC_RELAXED);
	return WIRE_OK;
}

int wire_fault(void) {
	int error = __atomic_exchange_n(&fault, WIRE_OK, __ATOMIC_RELAXED);
	return error == WIRE_OK ? error : line_sticky(error);
}

int wire_texture(const struct wire_texture *t, uint64_t *object) {
	struct wire_part part = {t, sizeof *t};
	return wire_call(OP_TEXTURE, &part, 1, object, sizeof *object, NULL);
}

int wire_bind(const struct wire_texture *t, const char *name) {
	uint64_t object;
	struct wire_part parts[] = {{t, sizeof *t}, {name, strlen(name)}};
	return wire_call(OP_TEXTURE, parts, 2, &object, sizeof object, NULL);
}

int wire_reference(uint64_t module, int surface, const char *name) {
	uint64_t request[] = {module, surface};
	struct wire_part parts[] = {{request, sizeof request}, {name, strlen(name)}};
	return wire_call(OP_REFERENCE, parts, 2, NULL, 0, NULL);
}

int wire_tensor_map(const struct wire_tensor_map *t, void *map) {
	struct wire_part part = {t, sizeof *t};
	return wire_call(OP_TENSOR_MAP, &part, 1, map, WIRE_TENSOR_MAP, NULL);
}

int wire_move_tensor_map(void *map, uint64_t address) {
	struct wire_part parts[] = {{&address, sizeof address}, {map, WIRE_TENSOR_MAP}};
	return wire_call(OP_MOVE_TENSOR_MAP, parts, 2, map, WIRE_TENSOR_MAP, NULL);
}
