// The runtime in a file without symbols. Its code is that of the archive which it was linked from, libcudart_static.a of one release,
// but for what the linker has filled in; so where the machine has that archive, its symbols are those of the file.
#define _GNU_SOURCE
#include "redirect.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ARCHIVE "libcudart_static.a"

// A member of an archive: its code, and which bytes of that are the compiler's.
struct code {
	const char *bytes;
	unsigned char *fixed; // 1 for each of these
	size_t size, longest, at; // the longest run of them, and where it begins
	unsigned section;
	const Elf64_Sym *symbols;
	size_t n;
	const char *strings;
	size_t strings_size;
};

#ifdef __aarch64__
enum { MACHINE = EM_AARCH64 };
static void extent(const Elf64_Rela *r, size_t *before, size_t *after) { (void)r, *before = 0, *after = 4; }
#else
enum { MACHINE = EM_X86_64 };

// extent is how many bytes before a relocation's place and from it on the linker may write: it rewrites instructions that
// load an address into such that compute it.
static void extent(const Elf64_Rela *r, size_t *before, size_t *after) {
	unsigned kind = ELF64_R_TYPE(r->r_info);
	*before = kind == R_X86_64_GOTPCRELX || kind == R_X86_64_REX_GOTPCRELX ? 3 : 0;
	*after = kind == R_X86_64_64 ? 8 : 4;
	if (kind == R_X86_64_TLSGD || kind == R_X86_64_TLSLD || kind == R_X86_64_GOTTPOFF)
		*before = 4, *after = 12;
}
#endif

// mark finds the bytes that are the compiler's, and the longest run of them.
static int mark(struct code *c, const Elf64_Rela *list, size_t n) {
	if ((c->fixed = malloc(c->size)) == NULL)
		return 0;
	memset(c->fixed, 1, c->size);
	for (size_t i = 0; i < n; i++) {
		size_t before, after, at = list[i].r_offset;
		extent(&list[i], &before, &after);
		if (at > c->size)
			return 0;
		before = before < at ? before : at;
		after = after < c->size - at ? after : c->size - at;
		memset(c->fixed + at - before, 0, before + after);
	}
	for (size_t i = 0, run = 0; i < c->size; i++) {
		run = c->fixed[i] ? run + 1 : 0;
		if (run > c->longest)
			c->longest = run, c->at = i + 1 - run;
	}
	enum { DISTINCT = 64 };
	return c->longest >= DISTINCT;
}

// read_code reads an object file; c->fixed must be freed in any case.
static int read_code(const struct object *o, struct code *c) {
	const Elf64_Ehdr *h = object_within(o, 0, sizeof *h);
	const Elf64_Shdr *s = h == NULL ? NULL : object_within(o, h->e_shoff, h->e_shnum * sizeof *s), *relocations = NULL, *table = NULL;
	if (s == NULL || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_type != ET_REL || h->e_machine != MACHINE || h->e_shstrndx >= h->e_shnum)
		return 0;
	const Elf64_Shdr *names = &s[h->e_shstrndx];
	for (unsigned i = 0; i < h->e_shnum; i++) {
		const char *name = s[i].sh_name < names->sh_size ? object_within(o, names->sh_offset + s[i].sh_name, sizeof ".text") : NULL;
		if (name != NULL && memcmp(name, ".text", sizeof ".text") == 0 && s[i].sh_type == SHT_PROGBITS)
			c->section = i, c->size = s[i].sh_size, c->bytes = object_within(o, s[i].sh_offset, s[i].sh_size);
		if (s[i].sh_type == SHT_RELA && c->section != 0 && s[i].sh_info == c->section)
			relocations = &s[i];
		if (s[i].sh_type == SHT_SYMTAB && s[i].sh_link < h->e_shnum)
			table = &s[i];
	}
	if (c->bytes == NULL || relocations == NULL || table == NULL)
		return 0;
	const Elf64_Rela *list = object_within(o, relocations->sh_offset, relocations->sh_size);
	c->n = table->sh_size / sizeof *c->symbols;
	c->symbols = object_within(o, table->sh_offset, table->sh_size);
	c->strings_size = s[table->sh_link].sh_size;
	c->strings = object_within(o, s[table->sh_link].sh_offset, c->strings_size);
	return list != NULL && c->symbols != NULL && c->strings != NULL && mark(c, list, relocations->sh_size / sizeof *list);
}

static int same(const struct code *c, const char *at) {
	for (size_t i = 0; i < c->size; i++)
		if (c->fixed[i] && at[i] != c->bytes[i])
			return 0;
	return 1;
}

// address_of is where the code is in a file, as its program headers have it; 0 for nowhere.
static uint64_t address_of(const struct code *c, const struct object *o) {
	const Elf64_Ehdr *h = (const void *)o->bytes;
	const Elf64_Phdr *p = object_within(o, h->e_phoff, h->e_phnum * sizeof *p);
	for (int i = 0; p != NULL && i < h->e_phnum; i++) {
		const char *from = p[i].p_type == PT_LOAD && p[i].p_flags & PF_X ? object_within(o, p[i].p_offset, p[i].p_filesz) : NULL, *hit;
		for (const char *next = from; from != NULL; next = hit + 1) {
			size_t done = next - from;
			if ((hit = memmem(next, p[i].p_filesz - done, c->bytes + c->at, c->longest)) == NULL)
				break;
			size_t at = hit - from;
			if (at >= c->at && c->size <= p[i].p_filesz - (at - c->at) && same(c, hit - c->at))
				return p[i].p_vaddr + (at - c->at);
		}
	}
	return 0;
}

// take gives a file the symbols of the code that begins at an address.
static int take(struct object *o, const struct code *c, uint64_t address) {
	size_t table = c->n * sizeof *c->symbols, size = table + c->strings_size + 1;
	char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return 0;
	Elf64_Sym *symbols = (Elf64_Sym *)block;
	size_t n = 0;
	for (size_t i = 0; i < c->n; i++)
		if (c->symbols[i].st_shndx == c->section) {
			symbols[n] = c->symbols[i];
			symbols[n++].st_value += address;
		}
	memcpy(block + table, c->strings, c->strings_size);
	o->symbols = symbols, o->n = n, o->strings = block + table, o->strings_size = c->strings_size + 1;
	o->unpacked = block, o->unpacked_size = size;
	return 1;
}

// compare takes the symbols of an archive, one of whose members is in the file.
static int compare(struct object *o, const char *path) {
	enum { HEADER = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
	struct object archive = {0};
	int found = 0;
	if (!object_map(&archive, path))
		return 0;
	const char *magic = object_within(&archive, 0, 8), *header;
	for (size_t at = 8; magic != NULL && memcmp(magic, "!<arch>\n", 8) == 0 && !found && (header = object_within(&archive, at, HEADER)) != NULL;) {
		char digits[SIZE_DIGITS + 1] = "";
		memcpy(digits, header + SIZE_AT, SIZE_DIGITS);
		size_t size = strtoul(digits, NULL, 10);
		struct object member = {.bytes = object_within(&archive, at + HEADER, size), .size = size};
		struct code c = {0};
		uint64_t address = member.bytes != NULL && read_code(&member, &c) ? address_of(&c, o) : 0;
		found = address != 0 && take(o, &c, address);
		free(c.fixed);
		at += HEADER + size + size % 2;
	}
	munmap((void *)archive.bytes, archive.size);
	return found;
}

// below compares with the archives in a folder, as packages and toolkits have them; for the path of one, with that.
static int below(struct object *o, const char *home, size_t size) {
	static const char *const places[] = {"", "/nvidia/*/lib/" ARCHIVE, "/lib*/" ARCHIVE, "/targets/*/lib/" ARCHIVE};
	char pattern[2 * PATH_MAX];
	glob_t list = {0};
	int found = 0;
	for (int i = 0; i < 4; i++) {
		snprintf(pattern, sizeof pattern, "%.*s%s", (int)size, home, places[i]);
		glob(pattern, GLOB_NOSORT | (i > 0 ? GLOB_APPEND : 0), NULL, &list);
	}
	for (size_t i = 0; i < list.gl_pathc && !found; i++)
		found = compare(o, list.gl_pathv[i]);
	globfree(&list);
	return found;
}

// listed compares with what a variable lists.
static int listed(struct object *o, const char *variable) {
	const char *next = getenv(variable);
	int found = 0;
	for (size_t size; next != NULL && *next != 0 && !found; next += size + (next[size] == ':')) {
		size = strcspn(next, ":");
		found = below(o, next, size);
	}
	return found;
}

// beside compares with what NVIDIA's packages have in the folder of Python packages that a file is in.
static int beside(struct object *o) {
	static const char packages[] = "-packages/";
	const char *found = strstr(o->map->l_name, packages);
	return found != NULL && below(o, o->map->l_name, found - o->map->l_name + sizeof packages - 2);
}

static int anywhere(struct object *o) {
	static const char toolkits[] = "/usr/local/cuda*", distribution[] = "/usr/lib/*-linux-gnu/" ARCHIVE;
	return listed(o, "PTXSAN_CUDART_STATIC") || beside(o) || listed(o, "CUDA_HOME") || listed(o, "CUDA_PATH") || listed(o, "CONDA_PREFIX") ||
		below(o, toolkits, sizeof toolkits - 1) || below(o, distribution, sizeof distribution - 1);
}

// A static runtime finds the driver by dlsym; a file that uses a shared one names its functions.
int redirect_static(struct object *o) {
	static const char name[] = "__cudaRegisterFatBinary", finder[] = "dlsym";
	if (memmem(o->strings, o->strings_size, finder, sizeof finder) == NULL || memmem(o->strings, o->strings_size, name, sizeof name) != NULL)
		return 0;
	return object_holds_runtime(o) && anywhere(o);
}
