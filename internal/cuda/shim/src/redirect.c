// The audit library (rtld-audit(7)): the dynamic linker announces each object to it before the object's
// constructors run. In an object that holds NVIDIA's runtime, because it was linked statically (libcudart_static.a),
// each function of the runtime's API becomes a jump to the function of that name in the drop-in library of
// the same major version. Functions are found by the object's symbols, or else by those of the archive that it was
// linked from (redirect_static.c); where that is not found, its runtime ends at cuGetExportTable. So are the functions of nvJitLink, which go to a library of ours, and those of a static
// NVRTC that return machine code, which go to its functions for PTX (a shared one: redirect_nvrtc.c). Libraries of NVIDIA's that have a drop-in are replaced by it,
// wherever the application has its own. Programs that the application starts come here, and scripts
// replace NVIDIA's compilers (redirect_exec.h).
#define _GNU_SOURCE
#include "redirect.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "redirect_exec.h"

#define VISIBLE __attribute__((visibility("default")))

#define MISSING(name) #name,
static const char *const runtime_names[] = {
#include "cudart_names.h"
};
static const char *const link_names[] = {
#include "jitlink_names.h"
};
#undef MISSING

// A stub has the number ROOM * library + name.
enum { COUNT = sizeof runtime_names / sizeof *runtime_names, LINK_COUNT = sizeof link_names / sizeof *link_names };
enum { CUDA_10, CUDA_11, CUDA_12, CUDA_13, JITLINK, LIBRARIES, ROOM = 512, STUB_SIZE = 16 };
_Static_assert(COUNT <= ROOM && ROOM * LIBRARIES == 2560, "the assembly has 2560 stubs");

static const char *const sonames[LIBRARIES] = {"libcudart.so.10.2", "libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13", "libptxsan-jitlink.so"};
static char original_link[PATH_MAX]; // NVIDIA's nvJitLink
static void *libraries[LIBRARIES];

// Functions of the drop-in libraries, by the number of the stub; null before the first call.
__attribute__((visibility("hidden"), used)) void *redirect_slots[ROOM * LIBRARIES];
extern const char redirect_stubs[] __attribute__((visibility("hidden")));

// Each stub jumps to its slot's function. The first call finds it; the registers that arguments may be in are
// kept (no function of the API takes a floating-point number).
#if defined(__x86_64__)
enum { JUMP_SIZE = 14 };
static void write_jump(unsigned char *at, const void *to) {
	memcpy(at, "\xff\x25\0\0\0\0", 6); // jmp *0(%rip)
	memcpy(at + 6, &to, sizeof to);
}

__asm__(".text\n\t.balign 16\n"
        "redirect_stubs:\n\t.set stub, 0\n\t.rept 2560\n"
        "\tmov $stub, %r11d\n\tjmp 1f\n\t.balign 16\n\t.set stub, stub + 1\n\t.endr\n"
        "1:\tlea redirect_slots(%rip), %r10\n\tmov (%r10,%r11,8), %r10\n\ttest %r10, %r10\n\tje 2f\n\tjmp *%r10\n"
        "2:\tpush %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %r8\n\tpush %r9\n\tpush %rax\n"
        "\tmov %r11d, %edi\n\tcall redirect_find\n\tmov %rax, %r10\n"
        "\tpop %rax\n\tpop %r9\n\tpop %r8\n\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n\tjmp *%r10\n");
#elif defined(__aarch64__)
enum { JUMP_SIZE = 16 };
static void write_jump(unsigned char *at, const void *to) {
	const uint32_t code[] = {0x58000050, 0xd61f0200}; // ldr x16, 8; br x16
	memcpy(at, code, sizeof code);
	memcpy(at + sizeof code, &to, sizeof to);
	__builtin___clear_cache((char *)at, (char *)at + JUMP_SIZE);
}

__asm__(".text\n\t.balign 16\n"
        "redirect_stubs:\n\t.set stub, 0\n\t.rept 2560\n"
        "\tmov w17, #stub\n\tb 1f\n\t.balign 16\n\t.set stub, stub + 1\n\t.endr\n"
        "1:\tadrp x16, redirect_slots\n\tadd x16, x16, :lo12:redirect_slots\n\tldr x16, [x16, x17, lsl #3]\n"
        "\tcbz x16, 2f\n\tbr x16\n"
        "2:\tstp x0, x1, [sp, #-96]!\n\tstp x2, x3, [sp, #16]\n\tstp x4, x5, [sp, #32]\n\tstp x6, x7, [sp, #48]\n"
        "\tstp x8, x30, [sp, #64]\n\tmov w0, w17\n\tbl redirect_find\n\tmov x16, x0\n"
        "\tldp x8, x30, [sp, #64]\n\tldp x6, x7, [sp, #48]\n\tldp x4, x5, [sp, #32]\n\tldp x2, x3, [sp, #16]\n"
        "\tldp x0, x1, [sp], #96\n\tbr x16\n");
#endif

void redirect_end(const char *what, const char *why) {
	dprintf(STDERR_FILENO, "ptxsan: %s: %s\n", what, why);
	abort();
}

// redirect_find is the function of a drop-in library that a stub stands for. The library belongs to the application's
// namespace, and this one does not.
__attribute__((visibility("hidden"), used)) void *redirect_find(unsigned stub) {
	void **library = &libraries[stub / ROOM];
	const char *soname = sonames[stub / ROOM], *name = (stub / ROOM == JITLINK ? link_names : runtime_names)[stub % ROOM];
	char path[2 * PATH_MAX];
	snprintf(path, sizeof path, "%s/%s", folder, soname);
	if (*library == NULL && (*library = dlmopen(LM_ID_BASE, path, RTLD_NOW | RTLD_LOCAL)) == NULL)
		redirect_end(path, dlerror());
	const char **original = stub / ROOM == JITLINK ? dlsym(*library, "jitlink_original") : NULL;
	if (original != NULL)
		*original = original_link;
	void *found = dlsym(*library, name);
	if (found == NULL)
		redirect_end(path, dlerror());
	__atomic_store_n(&redirect_slots[stub], found, __ATOMIC_RELEASE);
	return found;
}

const void *object_within(const struct object *o, uint64_t offset, uint64_t size) {
	return offset <= o->size && size <= o->size - offset ? o->bytes + offset : NULL;
}

int object_map(struct object *o, const char *path) {
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat s;
	if (fd < 0)
		return 0;
	o->bytes = MAP_FAILED;
	if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_size > (off_t)sizeof(Elf64_Ehdr)) {
		o->size = s.st_size;
		o->bytes = mmap(NULL, o->size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	return o->bytes != MAP_FAILED;
}

// set_strings takes a section of strings, each of which ends in the section.
static int set_strings(struct object *o, const Elf64_Shdr *section) {
	o->strings = object_within(o, section->sh_offset, section->sh_size);
	o->strings_size = section->sh_size;
	return o->strings != NULL && o->strings_size > 0 && o->strings[o->strings_size - 1] == 0;
}

// unpack decompresses a section of a stripped file that has the symbols of its functions, an ELF file in xz's format (GDB manual,
// "MiniDebugInfo"), if the machine has liblzma. The value is null without; else it must be unmapped.
static char *unpack(const char *in, size_t in_size, size_t *size) {
	enum { OK, NO_ROOM = 10, MOST = 1 << 28 };
	typedef int decode(uint64_t *, uint32_t, const void *, const uint8_t *, size_t *, size_t, uint8_t *, size_t *, size_t);
	void *library = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);
	decode *stream = library == NULL ? NULL : (decode *)dlsym(library, "lzma_stream_buffer_decode");
	for (*size = 16 * in_size; stream != NULL && *size <= MOST; *size *= 4) {
		char *out = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		uint64_t limit = MOST;
		size_t from = 0, to = 0;
		if (out == MAP_FAILED)
			return NULL;
		int error = stream(&limit, 0, NULL, (const uint8_t *)in, &from, in_size, (uint8_t *)out, &to, *size);
		if (error == OK)
			return out;
		munmap(out, *size);
		if (error != NO_ROOM)
			return NULL;
	}
	return NULL;
}

int object_holds_runtime(const struct object *o) {
	static const char text[] = "__global__ function call is not configured";
	return memmem(o->bytes, o->size, text, sizeof text - 1) != NULL;
}

static int find_symbols(struct object *o);

// find_packed takes the symbols of a compressed section.
static int find_packed(struct object *o, const Elf64_Shdr *section) {
	const char *in = object_within(o, section->sh_offset, section->sh_size);
	struct object inner = {.map = o->map};
	o->unpacked = in == NULL || !object_holds_runtime(o) ? NULL : unpack(in, section->sh_size, &o->unpacked_size);
	inner.bytes = o->unpacked, inner.size = o->unpacked_size;
	if (o->unpacked == NULL || !find_symbols(&inner))
		return 0;
	o->symbols = inner.symbols, o->n = inner.n, o->strings = inner.strings, o->strings_size = inner.strings_size;
	return 1;
}

// find_symbols finds the table with all symbols, or else a compressed one, or the one with those for the dynamic linker. There is
// none in drop-in libraries, which have a section as a mark (missing.c).
static int find_symbols(struct object *o) {
	const Elf64_Ehdr *h = (const void *)o->bytes;
	const Elf64_Shdr *s = object_within(o, h->e_shoff, h->e_shnum * sizeof *s), *table = NULL, *packed = NULL;
	if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || s == NULL || h->e_shstrndx >= h->e_shnum || !set_strings(o, &s[h->e_shstrndx]))
		return 0;
	for (int i = 0; i < h->e_shnum; i++) {
		const char *name = s[i].sh_name < o->strings_size ? o->strings + s[i].sh_name : "";
		if (strcmp(name, ".ptxsan") == 0)
			return 0;
		if (strcmp(name, ".gnu_debugdata") == 0)
			packed = &s[i];
		if (s[i].sh_link < h->e_shnum && (s[i].sh_type == SHT_SYMTAB || (s[i].sh_type == SHT_DYNSYM && table == NULL)))
			table = &s[i];
	}
	if (packed != NULL && (table == NULL || table->sh_type == SHT_DYNSYM) && find_packed(o, packed))
		return 1;
	if (table == NULL || (o->symbols = object_within(o, table->sh_offset, table->sh_size)) == NULL)
		return 0;
	o->n = table->sh_size / sizeof *o->symbols;
	return set_strings(o, &s[table->sh_link]);
}

// symbol_of is an object's symbol for a function that it defines, null for none.
static const Elf64_Sym *symbol_of(const struct object *o, const char *name) {
	size_t size = strlen(name) + 1;
	if (memmem(o->strings, o->strings_size, name, size) == NULL) // most objects end here
		return NULL;
	for (size_t i = 0; i < o->n; i++)
		if (o->symbols[i].st_shndx != SHN_UNDEF && o->symbols[i].st_name < o->strings_size && strcmp(o->strings + o->symbols[i].st_name, name) == 0)
			return &o->symbols[i];
	return NULL;
}

static int holds(const struct object *o, const char *name) { return symbol_of(o, name) != NULL; }

// version_of is the version of the runtime that an object holds, by names that came or went with one; -1 for none.
static int version_of(const struct object *o) {
	if (!holds(o, "__cudaRegisterFatBinary") || !holds(o, "cudaRuntimeGetVersion"))
		return -1;
	if (holds(o, "cudaGetDeviceProperties_v2"))
		return CUDA_12;
	if (!holds(o, "cudaBindTexture"))
		return CUDA_13;
	return holds(o, "cudaCtxResetPersistingL2Cache") ? CUDA_11 : CUDA_10;
}

// What an object holds: the version of a runtime, or -1; nvJitLink; functions of NVRTC.
struct held {
	int version, link;
	const Elf64_Sym *ptx, *ptx_size;
};

static int compare(const void *name, const void *entry) { return strcmp(name, *(const char *const *)entry); }

static const char *stub(const char *name, const char *const *names, size_t count, int library) {
	const char *const *found = bsearch(name, names, count, sizeof *names, compare);
	return found == NULL ? NULL : redirect_stubs + STUB_SIZE * (ROOM * library + (found - names));
}

// link_stub is the stub for a function of nvJitLink, which has a name without a version, and one with each: __nvJitLinkCreate_13_5.
static const char *link_stub(const char *name) {
	char plain[64];
	if (sscanf(name, "__%61[a-zA-Z]_%*d_%*d", plain) == 1)
		name = plain;
	return stub(name, link_names, LINK_COUNT, JITLINK);
}

// target_of is where a function of an object continues, null for where it is.
static const void *target_of(const struct object *o, const Elf64_Sym *s, const struct held *h) {
	if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF || s->st_name >= o->strings_size)
		return NULL;
	const char *name = o->strings + s->st_name, *to = NULL;
	if (h->version >= 0)
		to = stub(name, runtime_names, COUNT, h->version);
	if (to == NULL && h->link)
		to = link_stub(name);
	if (to == NULL && h->ptx != NULL && strcmp(name, "nvrtcGetCUBIN") == 0)
		to = (const char *)o->map->l_addr + h->ptx->st_value;
	if (to == NULL && h->ptx_size != NULL && strcmp(name, "nvrtcGetCUBINSize") == 0)
		to = (const char *)o->map->l_addr + h->ptx_size->st_value;
	return to;
}

// fits reports whether a function has room for a jump: a short one is followed by padding up to the next function.
static int fits(const struct object *o, const Elf64_Sym *s) {
	for (size_t i = 0; s->st_size < JUMP_SIZE && i < o->n; i++)
		if (o->symbols[i].st_value > s->st_value && o->symbols[i].st_value < s->st_value + JUMP_SIZE)
			return 0;
	return 1;
}

// protect changes the protection of the pages of a segment.
static void protect(const struct object *o, const Elf64_Phdr *p, int protection) {
	uintptr_t page = sysconf(_SC_PAGESIZE), begin = (o->map->l_addr + p->p_vaddr) & -page, end_of = o->map->l_addr + p->p_vaddr + p->p_memsz;
	if (mprotect((void *)begin, end_of - begin, protection) < 0)
		redirect_end("mprotect", "the code of the application's CUDA runtime cannot be redirected");
}

// redirect writes the jumps into one segment of code. Nothing of the object has run: its pages are writable instead of
// executable for as long.
static void redirect(const struct object *o, const Elf64_Phdr *p, const struct held *h) {
	protect(o, p, PROT_READ | PROT_WRITE);
	for (size_t i = 0; i < o->n; i++) {
		const Elf64_Sym *s = &o->symbols[i];
		const void *to = target_of(o, s, h);
		if (to != NULL && s->st_value >= p->p_vaddr && s->st_value + JUMP_SIZE <= p->p_vaddr + p->p_memsz && fits(o, s))
			write_jump((unsigned char *)o->map->l_addr + s->st_value, to);
	}
	protect(o, p, PROT_READ | PROT_EXEC); // as they were
}

// keep_children redirects execve of the C library, through which its other functions go that start programs (redirect_exec.h).
static void keep_children(const struct object *o) {
	const Elf64_Sym *s = symbol_of(o, "execve"), *number = symbol_of(o, "__errno_location");
	const Elf64_Ehdr *h = (const void *)o->bytes;
	const Elf64_Phdr *p = object_within(o, h->e_phoff, h->e_phnum * sizeof *p);
	const char *base = strrchr(o->map->l_name, '/');
	if (base == NULL || strcmp(base, "/libc.so.6") != 0 || s == NULL || number == NULL || p == NULL || !fits(o, s))
		return;
	errno_of_application = (int *(*)(void))(o->map->l_addr + number->st_value);
	for (int i = 0; i < h->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags == (PF_R | PF_X) && s->st_value >= p[i].p_vaddr && s->st_value + JUMP_SIZE <= p[i].p_vaddr + p[i].p_memsz) {
			protect(o, &p[i], PROT_READ | PROT_WRITE);
			write_jump((unsigned char *)o->map->l_addr + s->st_value, (const void *)execute);
			protect(o, &p[i], PROT_READ | PROT_EXEC);
		}
}

static void redirect_all(const struct object *o) {
	struct held held = {version_of(o), holds(o, "nvJitLinkCreate"), symbol_of(o, "nvrtcGetPTX"), symbol_of(o, "nvrtcGetPTXSize")};
	if (held.ptx != NULL && redirect_nvrtc(o))
		held.ptx = held.ptx_size = NULL;
	if (held.version < 0 && !held.link && held.ptx == NULL)
		return;
	if (held.link)
		snprintf(original_link, sizeof original_link, "%s", o->map->l_name);
	const Elf64_Ehdr *h = (const void *)o->bytes;
	const Elf64_Phdr *p = object_within(o, h->e_phoff, h->e_phnum * sizeof *p);
	for (int i = 0; p != NULL && i < h->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_flags == (PF_R | PF_X))
			redirect(o, &p[i], &held);
}

VISIBLE unsigned la_version(unsigned version) {
	Dl_info own;
	if (dladdr(folder, &own) == 0 || strlen(own.dli_fname) >= sizeof folder)
		return 0;
	strcpy(folder, own.dli_fname);
	dirname(folder);
	keep_variables();
	return version < LAV_CURRENT ? version : LAV_CURRENT;
}

VISIBLE unsigned la_objopen(struct link_map *map, Lmid_t namespace, uintptr_t *cookie) {
	struct object o = {.map = map};
	(void)cookie;
	if (namespace == LM_ID_BASE && object_map(&o, map->l_name[0] != 0 ? map->l_name : "/proc/self/exe")) {
		if (find_symbols(&o)) {
			if (version_of(&o) < 0)
				redirect_static(&o);
			redirect_all(&o);
			keep_children(&o);
		}
		munmap((void *)o.bytes, o.size);
		if (o.unpacked != NULL)
			munmap(o.unpacked, o.unpacked_size);
	}
	return 0; // no symbol is bound otherwise
}

// la_objsearch is asked first for the name that the application or an object gives.
VISIBLE char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag) {
	(void)cookie;
	const char *base = strrchr(name, '/') == NULL ? name : strrchr(name, '/') + 1;
	char path[2 * PATH_MAX];
	if (flag != LA_SER_ORIG || strncmp(base, "lib", 3) != 0)
		return (char *)name;
	snprintf(path, sizeof path, "%s/%s", folder, base);
	char *copy = access(path, R_OK) == 0 ? strdup(path) : NULL;
	return copy != NULL ? copy : (char *)name;
}
