// NVRTC as a shared library: in its table of symbols for the dynamic linker, functions become those here, which call the
// original ones. Programs are compiled with lines (-lineinfo), and the PTX, which is also handed out where machine code is asked
// for, ends with the program's source as comments (internal/cuda/embedded.go), so that the source is known wherever the PTX goes.
#define _GNU_SOURCE
#include "redirect.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// nvrtcResult
enum { SUCCESS, OUT_OF_MEMORY };

// A process may have several versions of NVRTC.
enum { COPIES = 4 };

// The functions, in the order of "names".
enum { CREATE, DESTROY, COMPILE, PTX_SIZE, PTX, CUBIN_SIZE, CUBIN, FUNCTIONS };
static const char *const names[FUNCTIONS] = {
	"nvrtcCreateProgram", "nvrtcDestroyProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcGetCUBINSize", "nvrtcGetCUBIN",
};

static struct original {
	int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
	int (*destroy)(void **), (*compile)(void *, int, const char *const *);
	int (*ptx_size)(void *, size_t *), (*ptx)(void *, char *);
} originals[COPIES];
static int copies;

// The sources of programs, as comments.
struct source {
	struct source *next;
	void *program;
	size_t size; // of the text
	char text[];
};
static struct source *sources;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// MOST_SOURCE limits a source that is added, in bytes.
enum { MOST_SOURCE = 1 << 20 };

static const char begins[] = "\n// ptxsan source ", line[] = "\n//|";

// commented writes a source as comments: a line with the program's name, and each line of the source.
static struct source *commented(const char *text, const char *name) {
	size_t size = strlen(text), lines = 1;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	struct source *s = size > MOST_SOURCE ? NULL : malloc(sizeof *s + size + lines * sizeof line + sizeof begins + strlen(name) + 2);
	if (s == NULL)
		return NULL;
	char *to = stpcpy(stpcpy(stpcpy(s->text, begins), name), line);
	for (; *text != 0; text++)
		if (*text == '\n')
			to = stpcpy(to, line);
		else
			*to++ = *text;
	*to++ = '\n', *to = 0;
	s->size = to - s->text;
	return s;
}

static int create(const struct original *o, void **out, const char *text, const char *name, int count, const char *const *headers, const char *const *includes) {
	int error = o->create(out, text, name, count, headers, includes);
	if (error != SUCCESS)
		return error;
	struct source *s = commented(text, name != NULL && strchr(name, '\n') == NULL ? name : "default_program");
	if (s == NULL) // without a source
		return SUCCESS;
	s->program = *out;
	pthread_mutex_lock(&lock);
	s->next = sources, sources = s;
	pthread_mutex_unlock(&lock);
	return SUCCESS;
}

static int destroy(const struct original *o, void **program) {
	pthread_mutex_lock(&lock);
	for (struct source **at = &sources; program != NULL && *at != NULL; at = &(*at)->next)
		if ((*at)->program == *program) {
			struct source *ended = *at;
			*at = ended->next;
			free(ended);
			break;
		}
	pthread_mutex_unlock(&lock);
	return o->destroy(program);
}

// has_lines reports whether options ask for lines, or for LTO-IR, which is linked without.
static int has_lines(int count, const char *const *options) {
	static const char *const words[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug", "-dlto", "--dlink-time-opt"};
	for (int i = 0; i < count; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			if (options[i] != NULL && strcmp(options[i], words[k]) == 0)
				return 1;
	return 0;
}

static int compile(const struct original *o, void *program, int count, const char *const *options) {
	if (count < 0 || (count > 0 && options == NULL) || has_lines(count, options))
		return o->compile(program, count, options);
	const char **more = malloc((count + 1) * sizeof *more);
	if (more == NULL)
		return OUT_OF_MEMORY;
	for (int i = 0; i < count; i++)
		more[i] = options[i];
	more[count] = "-lineinfo";
	int error = o->compile(program, count + 1, more);
	free(more);
	return error;
}

// append adds the source of a program to its PTX, unless that is null, and returns how many bytes it has.
static size_t append(void *program, char *ptx) {
	size_t size = 0;
	pthread_mutex_lock(&lock);
	for (const struct source *s = sources; s != NULL; s = s->next)
		if (s->program == program) {
			size = s->size;
			if (ptx != NULL)
				memcpy(ptx + strlen(ptx), s->text, size + 1);
			break;
		}
	pthread_mutex_unlock(&lock);
	return size;
}

static int ptx_size(const struct original *o, void *program, size_t *size) {
	int error = o->ptx_size(program, size);
	if (error == SUCCESS)
		*size += append(program, NULL);
	return error;
}

static int ptx(const struct original *o, void *program, char *to) {
	int error = o->ptx(program, to);
	if (error == SUCCESS)
		append(program, to);
	return error;
}

// The functions of each copy.
#define COPY(n)                                                                                                                    \
	static int create_##n(void **out, const char *text, const char *name, int count, const char *const *h, const char *const *i) { \
		return create(&originals[n], out, text, name, count, h, i);                                                                \
	}                                                                                                                              \
	static int destroy_##n(void **program) { return destroy(&originals[n], program); }                                             \
	static int compile_##n(void *p, int count, const char *const *o) { return compile(&originals[n], p, count, o); }               \
	static int ptx_size_##n(void *program, size_t *size) { return ptx_size(&originals[n], program, size); }                        \
	static int ptx_##n(void *program, char *to) { return ptx(&originals[n], program, to); }
COPY(0)
COPY(1)
COPY(2)
COPY(3)
#define FUNCTIONS_OF(n) {create_##n, destroy_##n, compile_##n, ptx_size_##n, ptx_##n, ptx_size_##n, ptx_##n}
static const void *const ours[COPIES][FUNCTIONS] = {FUNCTIONS_OF(0), FUNCTIONS_OF(1), FUNCTIONS_OF(2), FUNCTIONS_OF(3)};

// table_of finds the section with the symbols for the dynamic linker, and its strings, null for none.
static const Elf64_Shdr *table_of(const struct object *o, const Elf64_Shdr **strings) {
	const Elf64_Ehdr *h = (const void *)o->bytes;
	const Elf64_Shdr *s = object_within(o, h->e_shoff, h->e_shnum * sizeof *s);
	for (int i = 0; s != NULL && i < h->e_shnum; i++)
		if (s[i].sh_type == SHT_DYNSYM && s[i].sh_link < h->e_shnum) {
			*strings = &s[s[i].sh_link];
			return &s[i];
		}
	return NULL;
}

// find sets the symbols of the functions in the memory of the object. It reports whether all are there.
static int find(const struct object *o, const Elf64_Shdr *table, const Elf64_Shdr *strings, Elf64_Sym *found[FUNCTIONS]) {
	const Elf64_Sym *symbols = object_within(o, table->sh_offset, table->sh_size);
	const char *text = object_within(o, strings->sh_offset, strings->sh_size);
	size_t count = 0;
	if (symbols == NULL || text == NULL || strings->sh_size == 0 || text[strings->sh_size - 1] != 0)
		return 0;
	for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
		for (int k = 0; k < FUNCTIONS && symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < strings->sh_size; k++)
			if (found[k] == NULL && strcmp(text + symbols[i].st_name, names[k]) == 0) {
				found[k] = (Elf64_Sym *)(o->map->l_addr + table->sh_addr) + i;
				count++;
			}
	return count == FUNCTIONS;
}

// protect changes the protection of a table's pages.
static void protect(const struct object *o, const Elf64_Shdr *table, int protection) {
	uintptr_t at = o->map->l_addr + table->sh_addr, begin = at & -(uintptr_t)sysconf(_SC_PAGESIZE);
	if (mprotect((void *)begin, at + table->sh_size - begin, protection) < 0)
		redirect_end("mprotect", "the functions of NVRTC cannot be replaced");
}

// The linker adds the address of the object to the value of a symbol.
int redirect_nvrtc(const struct object *o) {
	const Elf64_Shdr *strings, *table = table_of(o, &strings);
	Elf64_Sym *found[FUNCTIONS] = {0};
	if (copies == COPIES || table == NULL || table->sh_addr == 0 || !find(o, table, strings, found))
		return 0;
	void *const to[] = {&originals[copies].create, &originals[copies].destroy, &originals[copies].compile, &originals[copies].ptx_size, &originals[copies].ptx};
	for (int k = 0; k <= PTX; k++) {
		uintptr_t was = o->map->l_addr + found[k]->st_value;
		memcpy(to[k], &was, sizeof was);
	}
	protect(o, table, PROT_READ | PROT_WRITE);
	for (int k = 0; k < FUNCTIONS; k++)
		found[k]->st_value = (uintptr_t)ours[copies][k] - o->map->l_addr;
	protect(o, table, PROT_READ);
	copies++;
	return 1;
}
