// Texture and surface references of the driver API, which CUDA has deprecated: variables of a module
// that are bound to memory. A texture reference is bound before the next launch, with all that has been set.
#include "cuda_array.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum source { NOTHING, ARRAY, MIPMAPPED, LINEAR, PITCHED };
enum { READ_AS_INTEGER = 1, NORMALIZED = 2, SRGB = 16 };

struct texref {
	uint64_t module; // 0 for one of no module
	uint32_t epoch;
	int changed; // since it was bound
	enum source source;
	const struct array *array;
	const struct mipmap *mipmap;
	CUdeviceptr address;
	size_t bytes, width, height, pitch;
	int format, mode[3], filter, mip_filter;
	unsigned channels, flags, anisotropy;
	float bias, least, most, border[4];
	struct texref *next;
	char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct texref *list; // of those of modules

static struct texref *make(const char *name) {
	enum { CLAMP = 1 };
	struct texref *t = calloc(1, sizeof *t + strlen(name) + 1);
	if (t == NULL)
		return NULL;
	strcpy(t->name, name);
	t->epoch = wire_epoch(), t->format = FORMAT_FLOAT, t->channels = 1;
	for (int i = 0; i < 3; i++)
		t->mode[i] = CLAMP;
	return t;
}

CUresult module_texref(struct texref **out, uint64_t module, const char *name) {
	CUresult error = CUDA_SUCCESS;
	pthread_mutex_lock(&lock);
	struct texref *t = list;
	while (t != NULL && (!LIVE(t) || t->module != module || strcmp(t->name, name) != 0))
		t = t->next;
	if (t == NULL && (error = wire_reference(module, 0, name)) == CUDA_SUCCESS) {
		if ((t = make(name)) == NULL)
			error = CUDA_ERROR_OUT_OF_MEMORY;
		else
			t->module = module, t->next = list, list = t;
	}
	pthread_mutex_unlock(&lock);
	*out = t;
	return error;
}

// describe is the texture that a reference stands for.
static CUresult describe(const struct texref *t, struct wire_texture *w) {
	enum { FLOAT = 2 };
	CUresult error = CUDA_SUCCESS;
	if (t->source == ARRAY || t->source == MIPMAPPED) {
		error = t->source == ARRAY ? describe_array(w, t->array, 0) : describe_array(w, mipmap_level(t->mipmap, 0), mipmap_count(t->mipmap));
	} else {
		error = channel_format(t->format, &w->bits, &w->kind);
		w->channels = t->channels, w->address = t->address;
		w->dims = t->source == LINEAR ? 1 : 2, w->buffer = t->source == LINEAR, w->pitch = t->pitch;
		w->width = t->source == LINEAR && error == CUDA_SUCCESS ? t->bytes / (t->channels * w->bits / 8) : t->width;
		w->height = t->height;
	}
	for (int i = 0; i < 3; i++)
		w->mode[i] = t->mode[i];
	memcpy(w->border, t->border, sizeof w->border);
	w->module = t->module, w->linear = t->filter, w->mip_linear = t->mip_filter;
	w->bias = t->bias, w->least = t->least, w->most = t->most;
	w->fraction = w->kind != FLOAT && w->bits < 32 && !(t->flags & READ_AS_INTEGER);
	w->normalized = (t->flags & NORMALIZED) != 0, w->srgb = (t->flags & SRGB) != 0;
	return error;
}

CUresult bind_texrefs(void) {
	CUresult error = CUDA_SUCCESS;
	if (__atomic_load_n(&list, __ATOMIC_RELAXED) == NULL)
		return error;
	pthread_mutex_lock(&lock);
	for (struct texref *t = list; t != NULL && error == CUDA_SUCCESS; t = t->next) {
		if (!LIVE(t) || !t->changed || t->source == NOTHING)
			continue;
		struct wire_texture w = {0};
		error = describe(t, &w);
		if (error == CUDA_SUCCESS)
			error = wire_bind(&w, t->name);
		t->changed = 0;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void forget_texrefs(uint64_t module) {
	pthread_mutex_lock(&lock);
	for (struct texref *t = list; t != NULL; t = t->next)
		if (t->module == module)
			t->epoch = WIRE_DEAD; // it stays, so that a later use is an error
	pthread_mutex_unlock(&lock);
}

EXPORT CUresult cuTexRefCreate(struct texref **t) {
	*t = make("");
	return failed(*t == NULL ? CUDA_ERROR_OUT_OF_MEMORY : wire_ready());
}

EXPORT CUresult cuTexRefDestroy(struct texref *t) {
	if (!LIVE(t) || t->module != 0)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	free(t);
	return CUDA_SUCCESS;
}

// SET is the end of a function that sets something.
#define SET(t, what)                           \
	do {                                       \
		if (!LIVE(t))                          \
			return failed(CUDA_ERROR_INVALID_HANDLE); \
		what;                                  \
		(t)->changed = 1;                      \
		return CUDA_SUCCESS;                   \
	} while (0)

EXPORT CUresult cuTexRefSetArray(struct texref *t, const struct array *a, unsigned flags) {
	(void)flags; // the format is always that of the array
	if (a == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	SET(t, (t->source = ARRAY, t->array = a, t->format = a->d.format, t->channels = a->d.channels));
}

EXPORT CUresult cuTexRefSetMipmappedArray(struct texref *t, const struct mipmap *m, unsigned flags) {
	(void)flags;
	if (m == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	SET(t, (t->source = MIPMAPPED, t->mipmap = m));
}

EXPORT CUresult cuTexRefSetAddress(size_t *offset, struct texref *t, CUdeviceptr p, size_t bytes) {
	if (offset != NULL)
		*offset = 0;
	if (p == 0)
		SET(t, t->source = NOTHING);
	SET(t, (t->source = LINEAR, t->address = p, t->bytes = bytes, t->pitch = t->height = 0));
}
VERSION2(cuTexRefSetAddress, (size_t *, struct texref *, CUdeviceptr, size_t))

EXPORT CUresult cuTexRefSetAddress2D(struct texref *t, const struct array2d *d, CUdeviceptr p, size_t pitch) {
	if (d == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	SET(t, (t->source = PITCHED, t->address = p, t->width = d->width, t->height = d->height, t->pitch = pitch, t->format = d->format, t->channels = d->channels));
}
VERSION2(cuTexRefSetAddress2D, (struct texref *, const struct array2d *, CUdeviceptr, size_t))
SAME_AS(cuTexRefSetAddress2D) CUresult cuTexRefSetAddress2D_v3(struct texref *, const struct array2d *, CUdeviceptr, size_t);

EXPORT CUresult cuTexRefSetFormat(struct texref *t, int format, int channels) {
	unsigned bits, kind;
	if (channel_format(format, &bits, &kind) != CUDA_SUCCESS || (channels != 1 && channels != 2 && channels != 4))
		return failed(CUDA_ERROR_INVALID_VALUE);
	SET(t, (t->format = format, t->channels = channels));
}

EXPORT CUresult cuTexRefSetAddressMode(struct texref *t, int dim, int mode) {
	if (dim < 0 || dim > 2 || mode < 0 || mode > 3)
		return failed(CUDA_ERROR_INVALID_VALUE);
	SET(t, t->mode[dim] = mode);
}

EXPORT CUresult cuTexRefSetFilterMode(struct texref *t, int mode) { SET(t, t->filter = mode); }
EXPORT CUresult cuTexRefSetMipmapFilterMode(struct texref *t, int mode) { SET(t, t->mip_filter = mode); }
EXPORT CUresult cuTexRefSetMipmapLevelBias(struct texref *t, float bias) { SET(t, t->bias = bias); }
EXPORT CUresult cuTexRefSetMipmapLevelClamp(struct texref *t, float least, float most) { SET(t, (t->least = least, t->most = most)); }
EXPORT CUresult cuTexRefSetMaxAnisotropy(struct texref *t, unsigned most) { SET(t, t->anisotropy = most); }
EXPORT CUresult cuTexRefSetBorderColor(struct texref *t, const float *c) { SET(t, memcpy(t->border, c, sizeof t->border)); }
EXPORT CUresult cuTexRefSetFlags(struct texref *t, unsigned flags) { SET(t, t->flags = flags); }

// GET is the end of a function that gets something.
#define GET(t, what)                           \
	do {                                       \
		if (!LIVE(t))                          \
			return failed(CUDA_ERROR_INVALID_HANDLE); \
		what;                                  \
		return CUDA_SUCCESS;                   \
	} while (0)

EXPORT CUresult cuTexRefGetAddress(CUdeviceptr *p, struct texref *t) {
	if (LIVE(t) && t->source != LINEAR && t->source != PITCHED)
		return failed(CUDA_ERROR_INVALID_VALUE);
	GET(t, *p = t->address);
}
VERSION2(cuTexRefGetAddress, (CUdeviceptr *, struct texref *))

EXPORT CUresult cuTexRefGetArray(const struct array **a, struct texref *t) {
	if (LIVE(t) && t->source != ARRAY)
		return failed(CUDA_ERROR_INVALID_VALUE);
	GET(t, *a = t->array);
}

EXPORT CUresult cuTexRefGetMipmappedArray(const struct mipmap **m, struct texref *t) {
	if (LIVE(t) && t->source != MIPMAPPED)
		return failed(CUDA_ERROR_INVALID_VALUE);
	GET(t, *m = t->mipmap);
}

EXPORT CUresult cuTexRefGetAddressMode(int *mode, struct texref *t, int dim) {
	if (dim < 0 || dim > 2)
		return failed(CUDA_ERROR_INVALID_VALUE);
	GET(t, *mode = t->mode[dim]);
}

EXPORT CUresult cuTexRefGetFormat(int *format, int *channels, struct texref *t) { GET(t, (*format = t->format, *channels = t->channels)); }
EXPORT CUresult cuTexRefGetFilterMode(int *mode, struct texref *t) { GET(t, *mode = t->filter); }
EXPORT CUresult cuTexRefGetMipmapFilterMode(int *mode, struct texref *t) { GET(t, *mode = t->mip_filter); }
EXPORT CUresult cuTexRefGetMipmapLevelBias(float *bias, struct texref *t) { GET(t, *bias = t->bias); }
EXPORT CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, struct texref *t) { GET(t, (*least = t->least, *most = t->most)); }
EXPORT CUresult cuTexRefGetMaxAnisotropy(int *most, struct texref *t) { GET(t, *most = t->anisotropy); }
EXPORT CUresult cuTexRefGetBorderColor(float *c, struct texref *t) { GET(t, memcpy(c, t->border, sizeof t->border)); }
EXPORT CUresult cuTexRefGetFlags(unsigned *flags, struct texref *t) { GET(t, *flags = t->flags); }

EXPORT CUresult cuParamSetTexRef(CUfunction f, int unit, struct texref *t) {
	(void)unit; // every reference of a module is there for all of its kernels
	return failed(LIVE(f) && LIVE(t) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

// Surface references are bound at once.
struct surfref {
	uint64_t module;
	uint32_t epoch;
	const struct array *array;
	char name[];
};

CUresult module_surfref(struct surfref **out, uint64_t module, const char *name) {
	CUresult error = wire_reference(module, 1, name);
	if (error != CUDA_SUCCESS)
		return error;
	struct surfref *s = calloc(1, sizeof *s + strlen(name) + 1);
	if (s == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	strcpy(s->name, name);
	s->module = module, s->epoch = wire_epoch();
	*out = s;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuSurfRefSetArray(struct surfref *s, const struct array *a, unsigned flags) {
	struct wire_texture w = {0};
	(void)flags;
	if (!LIVE(s))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	CUresult error = describe_array(&w, a, 0);
	w.module = s->module;
	if (error == CUDA_SUCCESS)
		error = wire_bind(&w, s->name);
	if (error == CUDA_SUCCESS)
		s->array = a;
	return failed(error);
}

EXPORT CUresult cuSurfRefGetArray(const struct array **a, struct surfref *s) {
	if (!LIVE(s) || s->array == NULL)
		return failed(LIVE(s) ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
	*a = s->array;
	return CUDA_SUCCESS;
}
