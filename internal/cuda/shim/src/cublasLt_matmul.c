// cuBLASLt's product of matrices and its descriptors (cuBLAS, "Using the cuBLASLt API"), as far as gemm reaches: matrices by columns,
// no epilogue, no scales of tensors. What else a program asks for is an attribute that is refused at the call.
#include "library.h"

#include <stdlib.h>

enum { SUCCESS = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED_HERE = 15 };

static int failed(int status) {
	if (status != SUCCESS && status != NOT_SUPPORTED_HERE)
		wire_failed(status, "an error of cuBLASLt", "see cublasStatus_t");
	return status;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return SUCCESS;
	case WIRE_NOT_SUPPORTED: return NOT_SUPPORTED_HERE;
	case WIRE_NOT_INITIALIZED: case WIRE_NO_DEVICE: return NOT_INITIALIZED;
	case WIRE_OUT_OF_MEMORY: return failed(ALLOC_FAILED);
	case WIRE_INVALID_VALUE: case WIRE_INVALID_HANDLE: return failed(INVALID_VALUE);
	default: return failed(EXECUTION_FAILED);
	}
}

// An attribute of a descriptor: its number, where it lies, and its size. The list ends with size 0.
struct attribute {
	int number;
	size_t offset, size;
};
#define ATTRIBUTE(number, type, member) {number, offsetof(struct type, member), sizeof ((struct type *)0)->member}

struct layout {
	int type, order, batch, mode;
	uint64_t rows, columns;
	int64_t step, interval, plane;
};
_Static_assert(sizeof(struct layout) <= 112, "a program may have the memory for it");
static const struct attribute of_layout[] = {
	ATTRIBUTE(0, layout, type), ATTRIBUTE(1, layout, order), ATTRIBUTE(2, layout, rows), ATTRIBUTE(3, layout, columns), ATTRIBUTE(4, layout, step),
	ATTRIBUTE(5, layout, batch), ATTRIBUTE(6, layout, interval), ATTRIBUTE(7, layout, plane), ATTRIBUTE(8, layout, mode), {0},
};

struct product {
	int compute, scale, device_scalars, transposed[3], fill, epilogue, processors, other; // other: an attribute that is not supported, or 0
	signed char fast;
};
_Static_assert(sizeof(struct product) <= 256, "a program may have the memory for it");
static const struct attribute of_product[] = {
	ATTRIBUTE(0, product, compute), ATTRIBUTE(1, product, scale), ATTRIBUTE(2, product, device_scalars), ATTRIBUTE(3, product, transposed[0]), ATTRIBUTE(4, product, transposed[1]),
	ATTRIBUTE(5, product, transposed[2]), ATTRIBUTE(6, product, fill), ATTRIBUTE(7, product, epilogue), ATTRIBUTE(15, product, processors), ATTRIBUTE(25, product, fast), {0},
};

// What a program prefers changes nothing here.
struct preference {
	uint64_t unused;
};

static const struct attribute *find(const struct attribute *list, int number) {
	for (; list->size > 0; list++)
		if (list->number == number)
			return list;
	return NULL;
}

static int set(void *descriptor, const struct attribute *a, const void *value, size_t size) {
	if (descriptor == NULL || a == NULL || value == NULL || size != a->size)
		return failed(INVALID_VALUE);
	memcpy((char *)descriptor + a->offset, value, size);
	return SUCCESS;
}

static int get(const void *descriptor, const struct attribute *a, void *value, size_t size, size_t *written) {
	if (descriptor == NULL || a == NULL || (size == 0 && written == NULL) || (size != 0 && (value == NULL || size != a->size)))
		return failed(INVALID_VALUE);
	if (size > 0)
		memcpy(value, (const char *)descriptor + a->offset, size);
	if (written != NULL)
		*written = a->size;
	return SUCCESS;
}

EXPORT int cublasLtMatrixLayoutInit_internal(struct layout *l, size_t size, int type, uint64_t rows, uint64_t columns, int64_t step) {
	if (l == NULL || size < sizeof *l)
		return failed(ALLOC_FAILED);
	*l = (struct layout){.type = type, .rows = rows, .columns = columns, .step = step, .batch = 1};
	return SUCCESS;
}

EXPORT int cublasLtMatmulDescInit_internal(struct product *p, size_t size, int compute, int scale) {
	enum { FULL = 2, DEFAULT = 1 };
	if (p == NULL || size < sizeof *p)
		return failed(ALLOC_FAILED);
	*p = (struct product){.compute = compute, .scale = scale, .fill = FULL, .epilogue = DEFAULT};
	return SUCCESS;
}

EXPORT int cublasLtMatmulPreferenceInit_internal(struct preference *p, size_t size) {
	if (p == NULL || size < sizeof *p)
		return failed(ALLOC_FAILED);
	p->unused = 0;
	return SUCCESS;
}

EXPORT int cublasLtMatrixLayoutCreate(struct layout **l, int type, uint64_t rows, uint64_t columns, int64_t step) {
	return cublasLtMatrixLayoutInit_internal(*l = malloc(sizeof **l), sizeof **l, type, rows, columns, step);
}
EXPORT int cublasLtMatmulDescCreate(struct product **p, int compute, int scale) {
	return cublasLtMatmulDescInit_internal(*p = malloc(sizeof **p), sizeof **p, compute, scale);
}
EXPORT int cublasLtMatmulPreferenceCreate(struct preference **p) { return cublasLtMatmulPreferenceInit_internal(*p = malloc(sizeof **p), sizeof **p); }

EXPORT int cublasLtMatrixLayoutDestroy(struct layout *l) { return free(l), SUCCESS; }
EXPORT int cublasLtMatmulDescDestroy(struct product *p) { return free(p), SUCCESS; }
EXPORT int cublasLtMatmulPreferenceDestroy(struct preference *p) { return free(p), SUCCESS; }

EXPORT int cublasLtMatrixLayoutSetAttribute(struct layout *l, int what, const void *value, size_t size) { return set(l, find(of_layout, what), value, size); }
EXPORT int cublasLtMatrixLayoutGetAttribute(const struct layout *l, int what, void *value, size_t size, size_t *written) {
	return get(l, find(of_layout, what), value, size, written);
}
EXPORT int cublasLtMatmulDescSetAttribute(struct product *p, int what, const void *value, size_t size) {
	if (find(of_product, what) != NULL || p == NULL || value == NULL)
		return set(p, find(of_product, what), value, size);
	for (size_t i = 0; i < size; i++)
		if (((const char *)value)[i] != 0)
			p->other = what;
	return SUCCESS;
}
EXPORT int cublasLtMatmulDescGetAttribute(const struct product *p, int what, void *value, size_t size, size_t *written) {
	return get(p, find(of_product, what), value, size, written);
}
EXPORT int cublasLtMatmulPreferenceSetAttribute(struct preference *p, int what, const void *value, size_t size) {
	(void)what, (void)size;
	return p == NULL || value == NULL ? failed(INVALID_VALUE) : SUCCESS;
}

EXPORT int cublasLtCreate(struct library_handle **out) {
	int error = wire_ready();
	*out = error == WIRE_OK ? calloc(1, sizeof **out) : NULL;
	return error != WIRE_OK ? library_status(error) : *out == NULL ? failed(ALLOC_FAILED) : SUCCESS;
}

EXPORT int cublasLtDestroy(struct library_handle *h) {
	free(h);
	return h == NULL ? failed(NOT_INITIALIZED) : SUCCESS;
}

EXPORT size_t cublasLtGetVersion(void) { return (size_t)library_version() * 10000; }
EXPORT size_t cublasLtGetCudartVersion(void) { return (size_t)library_version() * 1000; }

// lacking names what a product asks for that there is not here, null for nothing.
static const char *lacking(const struct product *p, struct layout *const *list, int n) {
	enum { DEFAULT = 1, FULL = 2 };
	if (p->epilogue != DEFAULT)
		return "cublasLtMatmul with an epilogue";
	if (p->other != 0 || p->fill != FULL || p->transposed[2] != 0 || p->device_scalars > 1)
		return "cublasLtMatmul with scales, vectors of scalars or a part of the result";
	for (int i = 0; i < n; i++)
		if (list[i]->order != 0 || list[i]->plane != 0 || list[i]->mode != 0)
			return "cublasLtMatmul of matrices that are not stored by columns, or of pointers to them";
	return NULL;
}

// zero reports whether a scalar of the host is 0: then C is not read, and may be anything.
static int zero(const struct product *p, const void *scalar, size_t size) {
	static const char none[16];
	return !p->device_scalars && memcmp(scalar, none, size) == 0;
}

EXPORT int cublasLtMatmul(struct library_handle *h, struct product *p, const void *alpha, const void *a, struct layout *la, const void *b, struct layout *lb, const void *beta,
                          const void *c, struct layout *lc, void *d, struct layout *ld, const void *algorithm, void *workspace, size_t size, struct stream *s) {
	struct layout *list[] = {la, lb, lc, ld};
	(void)algorithm, (void)workspace, (void)size;
	if (h == NULL)
		return failed(NOT_INITIALIZED);
	if (p == NULL || alpha == NULL || beta == NULL || la == NULL || lb == NULL || lc == NULL || ld == NULL)
		return failed(INVALID_VALUE);
	const char *missing = lacking(p, list, 4);
	if (missing != NULL)
		return library_status(wire_missing(LIBRARY, missing));
	size_t of_scalar = library_mixed(p->compute, la->type);
	uint64_t k = p->transposed[0] ? la->rows : la->columns, m = p->transposed[0] ? la->columns : la->rows;
	uint64_t n = p->transposed[1] ? lb->rows : lb->columns;
	if ((p->transposed[1] ? lb->columns : lb->rows) != k || ld->rows != m || ld->columns != n || lc->rows != m || lc->columns != n)
		return failed(INVALID_VALUE);
	if (zero(p, beta, of_scalar))
		c = d, lc = ld;
	struct library_handle in = {.stream = s, .device_scalars = p->device_scalars};
#define OPERAND(address, l) library_pointer(address), library_value(l->type), library_value(l->step), library_value(l->interval)
	const struct library_argument arguments[] = {
		library_value(p->transposed[0]), library_value(p->transposed[1]), library_value(m), library_value(n), library_value(k),
		library_scalar(&in, alpha, of_scalar), OPERAND(a, la), OPERAND(b, lb), library_scalar(&in, beta, of_scalar), OPERAND(c, lc), OPERAND(d, ld),
		library_value(ld->batch), library_value(p->compute), library_value(p->scale),
	};
	return library_status(library_call(&in, "cublasLtMatmul", arguments, sizeof arguments / sizeof *arguments));
}

// cublasLtMatmulHeuristicResult_t. There is one algorithm, which needs no memory.
struct heuristic {
	uint64_t algorithm[8];
	size_t workspace;
	int state;
	float waves;
	int reserved[4];
};

EXPORT int cublasLtMatmulAlgoCheck(struct library_handle *h, struct product *p, struct layout *a, struct layout *b, struct layout *c, struct layout *d, const void *algorithm, struct heuristic *out) {
	struct layout *list[] = {a, b, c, d};
	(void)h, (void)algorithm;
	if (p == NULL || a == NULL || b == NULL || c == NULL || d == NULL || out == NULL)
		return failed(INVALID_VALUE);
	*out = (struct heuristic){.state = lacking(p, list, 4) == NULL ? SUCCESS : NOT_SUPPORTED_HERE, .waves = 1};
	return out->state;
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(struct library_handle *h, struct product *p, struct layout *a, struct layout *b, struct layout *c, struct layout *d, struct preference *preferred,
                                          int most, struct heuristic *out, int *found) {
	(void)preferred;
	if (found == NULL || most < 1)
		return failed(INVALID_VALUE);
	int status = cublasLtMatmulAlgoCheck(h, p, a, b, c, d, NULL, out);
	*found = status == SUCCESS;
	return status;
}
