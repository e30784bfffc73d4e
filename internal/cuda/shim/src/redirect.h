// What the parts of the audit library share (redirect.c, redirect_nvrtc.c, redirect_static.c).
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
	char *unpacked; // has the symbols where they were compressed, or come from elsewhere
	size_t unpacked_size;
};

// object_within is a part of the file, null if the file ends before.
const void *object_within(const struct object *o, uint64_t offset, uint64_t size);

// object_map maps a file, whose bytes must be unmapped if it can be.
int object_map(struct object *o, const char *path);

// object_holds_runtime reports whether a file holds the runtime, whose text for an error it has (wire/runtime.go).
int object_holds_runtime(const struct object *o);

// redirect_end ends the process with a message.
void redirect_end(const char *what, const char *why);

// redirect_nvrtc replaces the functions of NVRTC in the object's table of symbols for the dynamic linker. It reports whether
// the object has such a table with all of them.
int redirect_nvrtc(const struct object *o);

// redirect_static gives a file without the symbols of the runtime that it holds those of an archive that has the same code. It
// reports whether there is one; then o->unpacked must be unmapped.
int redirect_static(struct object *o);

#endif
