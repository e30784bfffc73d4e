// Modules, kernels and textures over the connection, and how large the image of a module is.
#include "wire.h"

#include <stdlib.h>
#include <string.h>

int wire_load(const void *image, uint64_t size, uint64_t *module) {
	struct wire_part part = {image, size};
	return wire_call(OP_MODULE, &part, 1, module, sizeof *module, NULL);
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

static int fault; // of a kernel, which nobody has been told of

// is_fault reports whether an error is one of a kernel that runs, and not of its launch.
static int is_fault(int error) {
	enum { ILLEGAL_ADDRESS = 700, TIMEOUT = 702, ASSERT = 710, HARDWARE_STACK = 714, FAILURE = 719 };
	return error == ILLEGAL_ADDRESS || error == TIMEOUT || error == ASSERT || (error >= HARDWARE_STACK && error <= FAILURE);
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
		block = bytes;
	}
	struct wire_part parts[] = {{l, sizeof *l}, {block, block_size}};
	int error = wire_call(OP_LAUNCH, parts, 2, NULL, 0, NULL);
	if (!is_fault(error))
		return error;
	__atomic_store_n(&fault, error, __ATOMIC_RELAXED);
	return WIRE_OK;
}

int wire_fault(void) { return __atomic_exchange_n(&fault, WIRE_OK, __ATOMIC_RELAXED); }

int wire_bind(const struct wire_texture *t, const char *name, uint64_t *object) {
	struct wire_part parts[] = {{t, sizeof *t}, {name, strlen(name)}};
	return wire_call(OP_TEXTURE, parts, 2, object, sizeof *object, NULL);
}

int wire_texture(const struct wire_texture *t, uint64_t *object) { return wire_bind(t, "", object); }

// Images of modules begin with one of these numbers, or are PTX text.
#define FATBIN_MAGIC 0xba55ed50u
#define ELF_MAGIC 0x464c457fu
#define LINKED_MAGIC 0x4b4c5850u

struct linked {
	uint32_t magic, count;
	uint64_t size; // of what follows
};

void *wire_link(const void *const *images, const size_t *sizes, size_t count) {
	struct linked head = {.magic = LINKED_MAGIC, .count = count};
	for (size_t i = 0; i < count; i++)
		head.size += sizeof(uint64_t) + sizes[i];
	char *out = malloc(sizeof head + head.size), *to = out;
	if (out == NULL)
		return NULL;
	memcpy(to, &head, sizeof head);
	to += sizeof head;
	for (size_t i = 0; i < count; i++) {
		uint64_t size = sizes[i];
		memcpy(to, &size, sizeof size);
		memcpy(to + sizeof size, images[i], size);
		to += sizeof size + size;
	}
	return out;
}

static size_t elf_size(const unsigned char *image) {
	uint64_t sections;
	uint16_t entry, count;
	memcpy(&sections, image + 0x28, sizeof sections);
	memcpy(&entry, image + 0x3a, sizeof entry);
	memcpy(&count, image + 0x3c, sizeof count);
	return sections + (uint64_t)entry * count;
}

size_t wire_image_size(const void *image) {
	uint32_t magic;
	uint16_t header;
	uint64_t rest;
	memcpy(&magic, image, sizeof magic);
	switch (magic) {
	case FATBIN_MAGIC:
		memcpy(&header, (const char *)image + 6, sizeof header);
		memcpy(&rest, (const char *)image + 8, sizeof rest);
		return header + rest;
	case ELF_MAGIC:
		return elf_size(image);
	case LINKED_MAGIC:
		memcpy(&rest, (const char *)image + 8, sizeof rest);
		return sizeof(struct linked) + rest;
	}
	return strlen(image);
}
