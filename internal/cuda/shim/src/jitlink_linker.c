// nvJitLink: the linked image has the PTX of the inputs instead of machine code, and is linked when its module is loaded.
// LTO-IR is made PTX by NVIDIA's library, of which the first link with LTO-IR loads a second copy, in a namespace of its
// own (dlmopen(3)): the functions of the first one jump here (redirect.c).
#define _GNU_SOURCE
#include "wire.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

// nvJitLinkResult
enum { SUCCESS, UNRECOGNIZED_OPTION, MISSING_ARCH, INVALID_INPUT, INTERNAL = 6, NULL_INPUT = 10 };
// nvJitLinkInputType
enum { LTOIR = 3, LIBRARY_FILE = 6, INDEX = 7, ANY = 10 };

// jitlink_original is the path of NVIDIA's library, which the audit library writes.
EXPORT const char *jitlink_original;

typedef struct original *original; // a handle of NVIDIA's library

// Functions of NVIDIA's library. Their arguments are pointers and whole numbers.
enum function { CREATE, DESTROY, ADD, COMPLETE, PTX_SIZE, PTX, LOG_SIZE, LOG_TEXT, FUNCTIONS };
static const char *const names[FUNCTIONS] = {
	"nvJitLinkCreate", "nvJitLinkDestroy", "nvJitLinkAddData", "nvJitLinkComplete",
	"nvJitLinkGetLinkedPtxSize", "nvJitLinkGetLinkedPtx", "nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog",
};
struct call {
	enum function function;
	uintptr_t arguments[5];
	int error, done;
};

enum { PIECES = 256, LOG = 4096 };
struct link {
	void *pieces[PIECES];
	size_t sizes[PIECES], count;
	void *image; // of several pieces
	size_t size;
	original original; // null without LTO-IR
	uint32_t noptions;
	const char **options;
	char log[LOG];
};
typedef struct link *handle;

static int fails(handle h, int error, const char *why) {
	snprintf(h->log, sizeof h->log, "ptxsan: %s", why);
	return error;
}

// The library has a C library of its own, which knows no thread but the one that has loaded it: in others, links fail. So
// that thread executes all calls, and never ends.
static struct {
	int (*functions[FUNCTIONS])(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t);
	char error[256]; // why it could not be loaded, empty if it was
	pid_t process;   // that has the thread
	pthread_mutex_t turn, lock;
	pthread_cond_t changed;
	struct call *call; // under lock; null when there is none
} keeper = {.turn = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void execute(struct call *c) {
	uintptr_t *a = c->arguments;
	c->error = keeper.functions[c->function](a[0], a[1], a[2], a[3], a[4]);
}

static void *keep(void *loaded) {
	void *library = dlmopen(LM_ID_NEWLM, jitlink_original, RTLD_NOW | RTLD_LOCAL), *found = library;
	for (int i = 0; i < FUNCTIONS && found != NULL; i++) {
		found = dlsym(library, names[i]);
		memcpy(&keeper.functions[i], &found, sizeof found);
	}
	if (found == NULL)
		snprintf(keeper.error, sizeof keeper.error, "%s", dlerror());
	sem_post(loaded);
	if (found == NULL)
		return NULL;
	pthread_mutex_lock(&keeper.lock);
	for (;;) {
		while (keeper.call == NULL)
			pthread_cond_wait(&keeper.changed, &keeper.lock);
		pthread_mutex_unlock(&keeper.lock);
		execute(keeper.call);
		pthread_mutex_lock(&keeper.lock);
		keeper.call->done = 1;
		keeper.call = NULL;
		pthread_cond_broadcast(&keeper.changed);
	}
}

static void load(void) {
	pthread_t thread;
	sem_t loaded;
	sigset_t all, before;
	keeper.process = getpid();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); // signals are for the program's own threads
	if (sem_init(&loaded, 0, 0) != 0 || pthread_create(&thread, NULL, keep, &loaded) != 0) {
		snprintf(keeper.error, sizeof keeper.error, "no thread can be started");
	} else {
		pthread_detach(thread);
		while (sem_wait(&loaded) != 0) // interrupted
			continue;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// call calls a function of NVIDIA's library, with 0 for arguments that are left out. A process that was forked has no
// such thread.
static int call(struct call c) {
	if (getpid() != keeper.process) {
		execute(&c);
		return c.error;
	}
	pthread_mutex_lock(&keeper.turn);
	pthread_mutex_lock(&keeper.lock);
	keeper.call = &c;
	pthread_cond_broadcast(&keeper.changed);
	while (!c.done)
		pthread_cond_wait(&keeper.changed, &keeper.lock);
	pthread_mutex_unlock(&keeper.lock);
	pthread_mutex_unlock(&keeper.turn);
	return c.error;
}

#define CALL(function, ...) call((struct call){function, {__VA_ARGS__}, 0, 0})
#define AT(pointer) (uintptr_t)(pointer)

static int has_option(handle h, const char *option) {
	for (uint32_t i = 0; i < h->noptions; i++)
		if (strncmp(h->options[i], option, strlen(option)) == 0)
			return 1;
	return 0;
}

EXPORT int nvJitLinkCreate(handle *out, uint32_t count, const char **options) {
	if (out == NULL || (count > 0 && options == NULL))
		return NULL_INPUT;
	handle h = calloc(1, sizeof *h);
	if (h == NULL || (h->options = calloc(count + 1, sizeof *h->options)) == NULL)
		return INTERNAL;
	for (; h->noptions < count; h->noptions++)
		h->options[h->noptions] = strdup(options[h->noptions]);
	*out = h;
	return has_option(h, "-arch=") ? SUCCESS : fails(h, MISSING_ARCH, "expected the option -arch=");
}

EXPORT int nvJitLinkDestroy(handle *at) {
	if (at == NULL || *at == NULL)
		return NULL_INPUT;
	handle h = *at;
	for (size_t i = 0; i < h->count; i++)
		free(h->pieces[i]);
	for (uint32_t i = 0; i < h->noptions; i++)
		free((void *)h->options[i]);
	if (h->original != NULL)
		CALL(DESTROY, AT(&h->original));
	free(h->options);
	free(h->image);
	free(h);
	*at = NULL;
	return SUCCESS;
}

// add_original passes LTO-IR on; machine code of it is not asked for.
static int add_original(handle h, int type, const void *data, size_t size, const char *name) {
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	if (jitlink_original == NULL)
		return fails(h, INTERNAL, "NVIDIA's nvJitLink, which LTO-IR needs, is not known");
	pthread_once(&once, load);
	if (keeper.error[0] != 0)
		return fails(h, INTERNAL, keeper.error);
	int error = SUCCESS;
	if (h->original == NULL) {
		int more = !has_option(h, "-ptx");
		h->options[h->noptions] = "-ptx";
		error = CALL(CREATE, AT(&h->original), h->noptions + more, AT(h->options));
		h->options[h->noptions] = NULL;
	}
	return error != SUCCESS ? error : CALL(ADD, AT(h->original), type, AT(data), size, AT(name));
}

static int add_piece(handle h, void *piece, size_t size) {
	if (piece == NULL || h->count == PIECES) {
		free(piece);
		return fails(h, INTERNAL, "too many inputs, or no memory for one");
	}
	h->sizes[h->count] = size, h->pieces[h->count++] = piece;
	return SUCCESS;
}

EXPORT int nvJitLinkAddData(handle h, int type, const void *data, size_t size, const char *name) {
	static const unsigned char ltoir[4] = {0xed, 0x43, 0x4e, 0x7f};
	if (h == NULL || data == NULL)
		return NULL_INPUT;
	if (type == LTOIR || type == INDEX || (size >= sizeof ltoir && memcmp(data, ltoir, sizeof ltoir) == 0))
		return add_original(h, type, data, size, name);
	if (type == LIBRARY_FILE || (size >= 8 && memcmp(data, "!<arch>\n", 8) == 0))
		return SUCCESS; // NVIDIA's device runtime, which the emulator is
	char *piece = malloc(size + 1);
	if (piece != NULL) {
		memcpy(piece, data, size);
		piece[size] = 0;
	}
	return add_piece(h, piece, size);
}

EXPORT int nvJitLinkAddFile(handle h, int type, const char *path) {
	if (h == NULL || path == NULL)
		return NULL_INPUT;
	FILE *f = fopen(path, "rb");
	long size = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	char *data = size >= 0 && fseek(f, 0, SEEK_SET) == 0 ? malloc(size + 1) : NULL;
	int error = data != NULL ? nvJitLinkAddData(h, type, data, fread(data, 1, size, f), path) : fails(h, INVALID_INPUT, "an input file cannot be read");
	free(data);
	if (f != NULL)
		fclose(f);
	return error;
}

// original_ptx makes a piece of what was linked by NVIDIA's library.
static int original_ptx(handle h) {
	size_t size;
	int error = CALL(COMPLETE, AT(h->original));
	if (error == SUCCESS)
		error = CALL(PTX_SIZE, AT(h->original), AT(&size));
	char *text = error == SUCCESS ? calloc(size + 1, 1) : NULL;
	if (text != NULL && (error = CALL(PTX, AT(h->original), AT(text))) != SUCCESS)
		free(text);
	return error != SUCCESS ? error : add_piece(h, text, text == NULL ? 0 : strlen(text));
}

EXPORT int nvJitLinkComplete(handle h) {
	if (h == NULL)
		return NULL_INPUT;
	int error = h->original == NULL || h->image != NULL ? SUCCESS : original_ptx(h);
	if (error != SUCCESS)
		return error;
	if (h->count == 0)
		return fails(h, INVALID_INPUT, "nothing to link");
	if (h->image == NULL)
		h->image = wire_link(NULL, (const void *const *)h->pieces, h->sizes, h->count);
	if (h->image == NULL)
		return fails(h, INTERNAL, "no memory for the image");
	h->size = wire_image_size(h->image);
	return SUCCESS;
}

EXPORT int nvJitLinkGetLinkedCubinSize(handle h, size_t *size) {
	if (h == NULL || size == NULL)
		return NULL_INPUT;
	*size = h->size;
	return h->image != NULL ? SUCCESS : fails(h, INVALID_INPUT, "the link is not complete");
}

EXPORT int nvJitLinkGetLinkedCubin(handle h, void *to) {
	size_t size;
	int error = to == NULL ? NULL_INPUT : nvJitLinkGetLinkedCubinSize(h, &size);
	if (error == SUCCESS)
		memcpy(to, h->image, size);
	return error;
}

EXPORT int nvJitLinkGetLinkedPtxSize(handle h, size_t *size) {
	if (h == NULL || size == NULL)
		return NULL_INPUT;
	return h->original != NULL ? CALL(PTX_SIZE, AT(h->original), AT(size)) : fails(h, INVALID_INPUT, "PTX is linked with the option -lto only");
}

EXPORT int nvJitLinkGetLinkedPtx(handle h, char *to) {
	size_t size;
	int error = nvJitLinkGetLinkedPtxSize(h, &size);
	return error != SUCCESS ? error : CALL(PTX, AT(h->original), AT(to));
}

EXPORT int nvJitLinkGetErrorLogSize(handle h, size_t *size) {
	if (h == NULL || size == NULL)
		return NULL_INPUT;
	*size = strlen(h->log) + 1;
	return h->original != NULL && h->log[0] == 0 ? CALL(LOG_SIZE, AT(h->original), AT(size)) : SUCCESS;
}

EXPORT int nvJitLinkGetErrorLog(handle h, char *to) {
	if (h == NULL || to == NULL)
		return NULL_INPUT;
	if (h->original != NULL && h->log[0] == 0)
		return CALL(LOG_TEXT, AT(h->original), AT(to));
	strcpy(to, h->log);
	return SUCCESS;
}

EXPORT int nvJitLinkGetInfoLogSize(handle h, size_t *size) {
	if (h == NULL || size == NULL)
		return NULL_INPUT;
	*size = 1;
	return SUCCESS;
}

EXPORT int nvJitLinkGetInfoLog(handle h, char *to) {
	if (h == NULL || to == NULL)
		return NULL_INPUT;
	*to = 0;
	return SUCCESS;
}
