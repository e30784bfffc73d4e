// Images of modules: how large one is, and several as one.
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

char *wire_image_file(const char *path) {
	FILE *f = fopen(path, "rb");
	char *image = NULL;
	if (f == NULL)
		return NULL;
	long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	if (size >= 0 && fseek(f, 0, SEEK_SET) == 0 && (image = malloc(size + 1)) != NULL)
		image[fread(image, 1, size, f)] = 0;
	fclose(f);
	return image;
}
