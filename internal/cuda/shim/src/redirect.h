// What the parts of the audit library share (redirect.c, redirect_nvrtc.c).
#ifndef PTXSAN_REDIRECT_H
#define PTXSAN_REDIRECT_H

#include <elf.h>
#include <link.h>
#include <stddef.h>

// An object's file, and its table of symbols.
struct object {
	const struct link_map *map;
	const char *bytes, *strings;
	size_t size, strings_size, n;
	const Elf64_Sym *symbols;
	char *unpacked; // has the symbols where they were compressed
	size_t unpacked_size;
};

// object_within is a part of the file, null if the file ends before.
const void *object_within(const struct object *o, uint64_t offset, uint64_t size);

// redirect_end ends the process with a message.
void redirect_end(const char *what, const char *why);

// redirect_nvrtc replaces the functions of NVRTC in the object's table of symbols for the dynamic linker. It reports whether
// the object has such a table with all of them.
int redirect_nvrtc(const struct object *o);

#endif
