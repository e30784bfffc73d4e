// Images of modules: how large one is, and several as one.
#include "wire.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Images of modules begin with one of these numbers, or are PTX text.
#define FATBIN_MAGIC 0xba55ed50u
#define ELF_MAGIC 0x464c457fu
#define LINKED_MAGIC 0x4b4c5850u
#define BUILT_MAGIC 0x424c5850u

struct linked {
	uint32_t magic, count;
	uint64_t size; // of what follows
};

static char *append(char *to, const void *image, uint64_t size) {
	memcpy(to, &size, sizeof size);
	memcpy(to + sizeof size, image, size);
	return to + sizeof size + size;
}

void *wire_link(const void *built, const void *const *images, const size_t *sizes, size_t count) {
	struct linked head = {.magic = LINKED_MAGIC, .count = count};
	if (built != NULL)
		head = (struct linked){.magic = BUILT_MAGIC, .count = count + 1, .size = sizeof(uint64_t) + wire_image_size(built)};
	for (size_t i = 0; i < count; i++)
		head.size += sizeof(uint64_t) + sizes[i];
	char *out = malloc(sizeof head + head.size), *to = out;
	if (out == NULL)
		return NULL;
	memcpy(to, &head, sizeof head);
	to += sizeof head;
	if (built != NULL)
		to = append(to, built, wire_image_size(built));
	for (size_t i = 0; i < count; i++)
		to = append(to, images[i], sizes[i]);
	return out;
}

// elf_size is where the last part of an ELF file ends: a table of headers, or a section.
static size_t elf_size(const unsigned char *image) {
	Elf64_Ehdr head;
	memcpy(&head, image, sizeof head);
	size_t sections = head.e_shoff + (size_t)head.e_shentsize * head.e_shnum;
	size_t segments = head.e_phoff + (size_t)head.e_phentsize * head.e_phnum;
	size_t end = sections > segments ? sections : segments;
	for (int i = 0; i < head.e_shnum && head.e_shentsize >= sizeof(Elf64_Shdr); i++) {
		Elf64_Shdr s;
		memcpy(&s, image + head.e_shoff + (size_t)i * head.e_shentsize, sizeof s);
		if (s.sh_type != SHT_NOBITS && s.sh_offset + s.sh_size > end)
			end = s.sh_offset + s.sh_size;
	}
	return end;
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
	case BUILT_MAGIC:
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
