// Arrays of the driver API, and copies of rectangles and boxes, which may be parts of arrays. An
// array is memory of the device whose rows, slices and layers lie one after the other without gaps.
#include "cuda_array.h"
#include "cuda_graph.h"

#include <stdlib.h>

static size_t rows(const struct array *a) { return at_least_1(a->d.height); }

CUresult channel_format(int format, unsigned *bits, unsigned *kind) {
	enum { SIGNED = 0, UNSIGNED = 1, FLOAT = 2 };
	switch (format) {
	case FORMAT_UINT8: *bits = 8, *kind = UNSIGNED; return CUDA_SUCCESS;
	case FORMAT_UINT16: *bits = 16, *kind = UNSIGNED; return CUDA_SUCCESS;
	case FORMAT_UINT32: *bits = 32, *kind = UNSIGNED; return CUDA_SUCCESS;
	case FORMAT_INT8: *bits = 8, *kind = SIGNED; return CUDA_SUCCESS;
	case FORMAT_INT16: *bits = 16, *kind = SIGNED; return CUDA_SUCCESS;
	case FORMAT_INT32: *bits = 32, *kind = SIGNED; return CUDA_SUCCESS;
	case FORMAT_HALF: *bits = 16, *kind = FLOAT; return CUDA_SUCCESS;
	case FORMAT_FLOAT: *bits = 32, *kind = FLOAT; return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuArray3DCreate(struct array **out, const struct array3d *d) {
	unsigned bits, kind;
	if (out == NULL || d == NULL || channel_format(d->format, &bits, &kind) != CUDA_SUCCESS)
		return failed(CUDA_ERROR_INVALID_VALUE);
	if (d->width == 0 || (d->channels != 1 && d->channels != 2 && d->channels != 4))
		return failed(CUDA_ERROR_INVALID_VALUE);
	struct array *a = calloc(1, sizeof *a);
	if (a == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	a->d = *d, a->row = d->width * d->channels * bits / 8;
	CUresult error = wire_alloc(a->row * rows(a) * at_least_1(d->depth), WIRE_DEVICE_MEMORY, &a->address);
	if (error != CUDA_SUCCESS)
		free(a);
	else
		*out = a;
	return failed(error);
}
VERSION2(cuArray3DCreate, (struct array **, const struct array3d *))

EXPORT CUresult cuArrayCreate(struct array **out, const struct array2d *d) {
	if (d == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	struct array3d whole = {d->width, d->height, 0, d->format, d->channels, 0};
	return cuArray3DCreate(out, &whole);
}
VERSION2(cuArrayCreate, (struct array **, const struct array2d *))

EXPORT CUresult cuArrayDestroy(struct array *a) {
	if (a == NULL)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	CUresult error = wire_free(a->address);
	free(a);
	return failed(error);
}

EXPORT CUresult cuArray3DGetDescriptor(struct array3d *d, const struct array *a) {
	if (d == NULL || a == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*d = a->d;
	return CUDA_SUCCESS;
}
VERSION2(cuArray3DGetDescriptor, (struct array3d *, const struct array *))

EXPORT CUresult cuArrayGetDescriptor(struct array2d *d, const struct array *a) {
	if (d == NULL || a == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*d = (struct array2d){a->d.width, a->d.height, a->d.format, a->d.channels};
	return CUDA_SUCCESS;
}
VERSION2(cuArrayGetDescriptor, (struct array2d *, const struct array *))

// Where one side of a copy is: the bytes from row to row and from slice to slice.
struct place {
	CUdeviceptr at;
	size_t pitch, slice;
};

// locate finds where a side of a copy begins.
static CUresult locate(const struct copy_side *s, const struct copy3d *c, struct place *p) {
	enum { HOST = 1, ARRAY = 3 };
	size_t height = s->height;
	p->at = s->type == HOST ? (CUdeviceptr)s->host : s->device, p->pitch = s->pitch > 0 ? s->pitch : c->width;
	if (s->type == ARRAY) {
		const struct array *a = s->array;
		if (a == NULL)
			return CUDA_ERROR_INVALID_HANDLE;
		if (s->x + c->width > a->row || s->y + c->height > rows(a) || s->z + c->depth > at_least_1(a->d.depth))
			return CUDA_ERROR_INVALID_VALUE;
		p->at = a->address, p->pitch = a->row, height = rows(a);
	}
	p->slice = p->pitch * (height > 0 ? height : c->height);
	p->at += s->z * p->slice + s->y * p->pitch + s->x;
	return CUDA_SUCCESS;
}

// copy_rows copies row by row, or what lies together on both sides at once.
static CUresult copy_rows(const struct copy3d *c) {
	struct place from, to;
	CUresult error = locate(&c->from, c, &from);
	if (error == CUDA_SUCCESS)
		error = locate(&c->to, c, &to);
	if (error != CUDA_SUCCESS || c->width == 0)
		return error;
	size_t width = c->width, height = c->height;
	if (from.pitch == width && to.pitch == width)
		width *= height, height = height > 0;
	for (size_t z = 0; z < c->depth; z++)
		for (size_t y = 0; y < height && error == CUDA_SUCCESS; y++)
			error = copy_any(to.at + z * to.slice + y * to.pitch, from.at + z * from.slice + y * from.pitch, width);
	return error;
}

CUresult copy_box(const struct copy3d *c) { return PARTS(copy_rows(c)); }

EXPORT CUresult cuMemcpy3D(const struct copy3d *c) { return failed(copy_box(c)); }
VERSION2(cuMemcpy3D, (const struct copy3d *))
IN_THREAD(CUresult, cuMemcpy3D, cuMemcpy3D_v2_ptds, (const struct copy3d *))

EXPORT CUresult cuMemcpy3DAsync(const struct copy3d *c, CUstream stream) {
	return failed(recording(stream) != NULL ? captured(stream, record_copy(recording(stream), c)) : IN(stream_id(stream), copy_box(c)));
}
VERSION2(cuMemcpy3DAsync, (const struct copy3d *, CUstream))
IN_THREAD(CUresult, cuMemcpy3DAsync, cuMemcpy3DAsync_v2_ptsz, (const struct copy3d *, CUstream))

// CUDA_MEMCPY3D_PEER has contexts, of the only device, where CUDA_MEMCPY3D has nothing.
EXPORT CUresult cuMemcpy3DPeer(const struct copy3d *c) { return failed(ACROSS(copy_box(c))); }
IN_THREAD(CUresult, cuMemcpy3DPeer, cuMemcpy3DPeer_ptds, (const struct copy3d *))
SAME_AS(cuMemcpy3DAsync) CUresult cuMemcpy3DPeerAsync(const struct copy3d *, CUstream);
IN_THREAD(CUresult, cuMemcpy3DAsync, cuMemcpy3DPeerAsync_ptsz, (const struct copy3d *, CUstream))

// CUDA_MEMCPY2D.
struct side2d {
	size_t x, y;
	int type;
	const void *host;
	CUdeviceptr device;
	const struct array *array;
	size_t pitch;
};

struct copy2d {
	struct side2d from, to;
	size_t width, height;
};

static struct copy_side deep(const struct side2d *s) {
	return (struct copy_side){.x = s->x, .y = s->y, .type = s->type, .host = s->host, .device = s->device, .array = s->array, .pitch = s->pitch};
}

static struct copy3d box_of(const struct copy2d *c) { return (struct copy3d){deep(&c->from), deep(&c->to), c->width, c->height, 1}; }

EXPORT CUresult cuMemcpy2D(const struct copy2d *c) {
	struct copy3d box = box_of(c);
	return failed(copy_box(&box));
}
VERSION2(cuMemcpy2D, (const struct copy2d *))
IN_THREAD(CUresult, cuMemcpy2D, cuMemcpy2D_v2_ptds, (const struct copy2d *))
SAME_AS(cuMemcpy2D) CUresult cuMemcpy2DUnaligned(const struct copy2d *);
SAME_AS(cuMemcpy2D) CUresult cuMemcpy2DUnaligned_v2(const struct copy2d *);
IN_THREAD(CUresult, cuMemcpy2D, cuMemcpy2DUnaligned_v2_ptds, (const struct copy2d *))

EXPORT CUresult cuMemcpy2DAsync(const struct copy2d *c, CUstream stream) {
	struct copy3d box = box_of(c);
	return cuMemcpy3DAsync(&box, stream);
}
VERSION2(cuMemcpy2DAsync, (const struct copy2d *, CUstream))
IN_THREAD(CUresult, cuMemcpy2DAsync, cuMemcpy2DAsync_v2_ptsz, (const struct copy2d *, CUstream))

// bytes copies a run of bytes of arrays, from offsets on, and of memory.
static CUresult bytes(const struct array *to, CUdeviceptr to_memory, size_t to_offset, const struct array *from, CUdeviceptr from_memory, size_t from_offset, size_t size) {
	const struct array *both[] = {to, from};
	size_t offsets[] = {to_offset, from_offset};
	for (int i = 0; i < 2; i++)
		if (both[i] != NULL && (offsets[i] > both[i]->row * rows(both[i]) || size > both[i]->row * rows(both[i]) - offsets[i]))
			return CUDA_ERROR_INVALID_VALUE;
	return copy_any((to != NULL ? to->address : to_memory) + to_offset, (from != NULL ? from->address : from_memory) + from_offset, size);
}

// ROW is a copy of a run of bytes, with its other names.
#define ROW(name, params, call)                          \
	EXPORT CUresult name params { return failed(call); } \
	VERSION2(name, params)                               \
	EXPORT CUresult name##_v2_ptds params { return failed(WITH_THREAD(call)); }
#define ROW_ASYNC(name, params, call)                                           \
	EXPORT CUresult name params { return failed(IN(stream_id(stream), call)); } \
	VERSION2(name, params)                                                      \
	EXPORT CUresult name##_v2_ptsz params { return failed(WITH_THREAD(IN(stream_id(stream), call))); }

ROW(cuMemcpyHtoA, (struct array *to, size_t at, const void *from, size_t n), bytes(to, 0, at, NULL, (CUdeviceptr)from, 0, n))
ROW(cuMemcpyAtoH, (void *to, struct array *from, size_t at, size_t n), bytes(NULL, (CUdeviceptr)to, 0, from, 0, at, n))
ROW(cuMemcpyDtoA, (struct array *to, size_t at, CUdeviceptr from, size_t n), bytes(to, 0, at, NULL, from, 0, n))
ROW(cuMemcpyAtoD, (CUdeviceptr to, struct array *from, size_t at, size_t n), bytes(NULL, to, 0, from, 0, at, n))
ROW(cuMemcpyAtoA, (struct array *to, size_t at, struct array *from, size_t from_at, size_t n), bytes(to, 0, at, from, 0, from_at, n))
ROW_ASYNC(cuMemcpyHtoAAsync, (struct array *to, size_t at, const void *from, size_t n, CUstream stream), bytes(to, 0, at, NULL, (CUdeviceptr)from, 0, n))
ROW_ASYNC(cuMemcpyAtoHAsync, (void *to, struct array *from, size_t at, size_t n, CUstream stream), bytes(NULL, (CUdeviceptr)to, 0, from, 0, at, n))
