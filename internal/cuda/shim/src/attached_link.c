// The driver's linker, which makes machine code of PTX: ptxsan instruments the PTX when what the linker has
// made is loaded. Images of other kinds cannot be among the pieces.
#include "attached.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct link *CUlinkState;

// A linker that the application has made, and the image that came of it.
struct link_record {
	CUlinkState state; // null when it is destroyed
	void **pieces;
	size_t *sizes, count;
	int unknown;    // some piece is not PTX
	uint64_t image; // what the image hashes to, 0 before there is one
	size_t size;
	struct link_record *next;
};
static struct link_record *records;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// The kinds of input that hold PTX.
enum { INPUT_PTX = 1, INPUT_FATBINARY = 2, INPUT_LIBRARY = 4 };

// hash_of is a hash of an image (FNV-1a), which the application may copy before it loads it.
static uint64_t hash_of(const unsigned char *image, size_t size) {
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++)
		h = (h ^ image[i]) * 0x100000001b3u;
	return h | 1;
}

// record_of is the linker of a state. The caller has the lock.
static struct link_record *record_of(CUlinkState state) {
	struct link_record *r = records;
	while (r != NULL && r->state != state)
		r = r->next;
	return r;
}

static CUresult created(CUresult error, CUlinkState *state) {
	struct link_record *r = error == CUDA_SUCCESS && attached_outside() ? calloc(1, sizeof *r) : NULL;
	if (r == NULL)
		return error;
	pthread_mutex_lock(&lock);
	r->state = *state, r->next = records, records = r;
	pthread_mutex_unlock(&lock);
	return error;
}

// keep copies a piece, which ends with a zero byte if it is text.
static int keep(struct link_record *r, const void *data, size_t size) {
	void **pieces = realloc(r->pieces, (r->count + 1) * sizeof *pieces);
	if (pieces != NULL)
		r->pieces = pieces;
	size_t *sizes = realloc(r->sizes, (r->count + 1) * sizeof *sizes);
	if (sizes != NULL)
		r->sizes = sizes;
	char *copy = pieces == NULL || sizes == NULL ? NULL : calloc(1, size + 1);
	if (copy == NULL)
		return 0;
	memcpy(copy, data, size);
	r->pieces[r->count] = copy, r->sizes[r->count++] = size;
	return 1;
}

static void add(CUlinkState state, int type, const void *data, size_t size) {
	pthread_mutex_lock(&lock);
	struct link_record *r = record_of(state);
	if (r != NULL && type != INPUT_LIBRARY && ((type != INPUT_PTX && type != INPUT_FATBINARY) || !keep(r, data, size)))
		r->unknown = 1;
	pthread_mutex_unlock(&lock);
}

static void add_file(CUlinkState state, int type, const char *path) {
	size_t size;
	char *text = attached_contents(path, &size);
	if (text != NULL)
		add(state, type, text, size);
	free(text);
}

void *attached_pieces(const void *image) {
	void *found = NULL;
	pthread_mutex_lock(&lock);
	size_t size = records == NULL ? 0 : wire_image_size(image);
	uint64_t hash = size == 0 ? 0 : hash_of(image, size);
	for (struct link_record *r = records; r != NULL && found == NULL; r = r->next)
		if (r->image == hash && r->size == size && size != 0 && !r->unknown && r->count > 0)
			found = wire_link(NULL, (const void *const *)r->pieces, r->sizes, r->count);
	pthread_mutex_unlock(&lock);
	return found;
}

#define CREATE(name)                                                                              \
	EXPORT CUresult name(unsigned count, int *options, void **values, CUlinkState *state);        \
	CUresult name(unsigned count, int *options, void **values, CUlinkState *state) {              \
		return created(INSIDE(REAL(name)(count, options, values, state)), state);                 \
	}
CREATE(cuLinkCreate)
CREATE(cuLinkCreate_v2)

#define ADD_DATA(name)                                                                                                                              \
	EXPORT CUresult name(CUlinkState s, int type, void *data, size_t size, const char *label, unsigned count, int *options, void **values);         \
	CUresult name(CUlinkState s, int type, void *data, size_t size, const char *label, unsigned count, int *options, void **values) {               \
		if (attached_outside())                                                                                                                     \
			add(s, type, data, size);                                                                                                               \
		return INSIDE(REAL(name)(s, type, data, size, label, count, options, values));                                                              \
	}
ADD_DATA(cuLinkAddData)
ADD_DATA(cuLinkAddData_v2)

#define ADD_FILE(name)                                                                                               \
	EXPORT CUresult name(CUlinkState s, int type, const char *path, unsigned count, int *options, void **values);    \
	CUresult name(CUlinkState s, int type, const char *path, unsigned count, int *options, void **values) {          \
		if (attached_outside())                                                                                      \
			add_file(s, type, path);                                                                                 \
		return INSIDE(REAL(name)(s, type, path, count, options, values));                                            \
	}
ADD_FILE(cuLinkAddFile)
ADD_FILE(cuLinkAddFile_v2)

EXPORT CUresult cuLinkComplete(CUlinkState s, void **image, size_t *size);
CUresult cuLinkComplete(CUlinkState s, void **image, size_t *size) {
	CUresult error = INSIDE(REAL(cuLinkComplete)(s, image, size));
	if (error != CUDA_SUCCESS || !attached_outside())
		return error;
	pthread_mutex_lock(&lock);
	struct link_record *r = record_of(s);
	if (r != NULL)
		r->size = wire_image_size(*image), r->image = hash_of(*image, r->size);
	pthread_mutex_unlock(&lock);
	return error;
}

// What the linker has made may be loaded when the linker is gone: the pieces stay.
EXPORT CUresult cuLinkDestroy(CUlinkState s);
CUresult cuLinkDestroy(CUlinkState s) {
	pthread_mutex_lock(&lock);
	struct link_record *r = record_of(s);
	if (r != NULL)
		r->state = NULL;
	pthread_mutex_unlock(&lock);
	return INSIDE(REAL(cuLinkDestroy)(s));
}
