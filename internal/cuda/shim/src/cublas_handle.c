// cuBLAS's handles and what they keep (cuBLAS, "cuBLAS Helper Function Reference"). What math modes and workspaces change on a GPU,
// speed and rounding, they do not change here.
#include "library.h"

#include <stdlib.h>

typedef int cublasStatus_t;
typedef struct library_handle *cublasHandle_t;

enum {
	CUBLAS_STATUS_SUCCESS = 0,
	CUBLAS_STATUS_NOT_INITIALIZED = 1,
	CUBLAS_STATUS_ALLOC_FAILED = 3,
	CUBLAS_STATUS_INVALID_VALUE = 7,
	CUBLAS_STATUS_MAPPING_ERROR = 11,
	CUBLAS_STATUS_EXECUTION_FAILED = 13,
	CUBLAS_STATUS_INTERNAL_ERROR = 14,
	CUBLAS_STATUS_NOT_SUPPORTED = 15,
};

static const struct {
	int status;
	const char *name, *text;
} texts[] = {
	{0, "CUBLAS_STATUS_SUCCESS", "success"},
	{1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
	{3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
	{7, "CUBLAS_STATUS_INVALID_VALUE", "an invalid value was used as an argument"},
	{8, "CUBLAS_STATUS_ARCH_MISMATCH", "an absent device architectural feature is required"},
	{11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
	{13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
	{14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
	{15, "CUBLAS_STATUS_NOT_SUPPORTED", "the functionality is not supported"},
	{16, "CUBLAS_STATUS_LICENSE_ERROR", "an error with the license of the library"},
};
enum { TEXTS = sizeof texts / sizeof *texts };

EXPORT const char *cublasGetStatusName(cublasStatus_t status) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].status == status)
			return texts[i].name;
	return "CUBLAS_STATUS_UNKNOWN";
}

EXPORT const char *cublasGetStatusString(cublasStatus_t status) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].status == status)
			return texts[i].text;
	return "unknown status";
}

static cublasStatus_t failed(cublasStatus_t status) {
	if (status != CUBLAS_STATUS_SUCCESS && status != CUBLAS_STATUS_NOT_SUPPORTED)
		wire_failed(status, cublasGetStatusName(status), cublasGetStatusString(status));
	return status;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return CUBLAS_STATUS_SUCCESS;
	case WIRE_INVALID_VALUE: return failed(CUBLAS_STATUS_INVALID_VALUE);
	case WIRE_OUT_OF_MEMORY: return failed(CUBLAS_STATUS_ALLOC_FAILED);
	case WIRE_NOT_SUPPORTED: return CUBLAS_STATUS_NOT_SUPPORTED;
	case WIRE_NOT_INITIALIZED: case WIRE_NO_DEVICE: return CUBLAS_STATUS_NOT_INITIALIZED;
	case WIRE_INVALID_HANDLE: return failed(CUBLAS_STATUS_INVALID_VALUE); // a stream that does not exist
	default: return failed(CUBLAS_STATUS_EXECUTION_FAILED);
	}
}

EXPORT cublasStatus_t cublasCreate_v2(cublasHandle_t *out) {
	int error = wire_ready();
	if (out == NULL)
		return failed(CUBLAS_STATUS_INVALID_VALUE);
	*out = error == WIRE_OK ? calloc(1, sizeof **out) : NULL;
	return error != WIRE_OK ? library_status(error) : *out == NULL ? failed(CUBLAS_STATUS_ALLOC_FAILED) : CUBLAS_STATUS_SUCCESS;
}

// As on a GPU, the host waits for the device.
EXPORT cublasStatus_t cublasDestroy_v2(cublasHandle_t h) {
	if (h == NULL)
		return failed(CUBLAS_STATUS_NOT_INITIALIZED);
	free(h);
	return library_status(wire_order(ORDER_DEVICE, 0, 0));
}

// SET and GET define functions that keep a value in a handle and return it.
#define SET(name, type, member)                                 \
	EXPORT cublasStatus_t name(cublasHandle_t h, type value) {  \
		if (h == NULL)                                          \
			return failed(CUBLAS_STATUS_NOT_INITIALIZED);       \
		h->member = value;                                      \
		return CUBLAS_STATUS_SUCCESS;                           \
	}
#define GET(name, type, member)                                 \
	EXPORT cublasStatus_t name(cublasHandle_t h, type *value) { \
		if (h == NULL)                                          \
			return failed(CUBLAS_STATUS_NOT_INITIALIZED);       \
		*value = h->member;                                     \
		return CUBLAS_STATUS_SUCCESS;                           \
	}
SET(cublasSetStream_v2, struct stream *, stream)
GET(cublasGetStream_v2, struct stream *, stream)
SET(cublasSetPointerMode_v2, int, device_scalars)
GET(cublasGetPointerMode_v2, int, device_scalars)
SET(cublasSetMathMode, int, modes[0])
GET(cublasGetMathMode, int, modes[0])
SET(cublasSetAtomicsMode, int, modes[1])
GET(cublasGetAtomicsMode, int, modes[1])
SET(cublasSetSmCountTarget, int, modes[2])
GET(cublasGetSmCountTarget, int, modes[2])

EXPORT cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t h, void *workspace, size_t size) {
	(void)workspace, (void)size;
	return h == NULL ? failed(CUBLAS_STATUS_NOT_INITIALIZED) : CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasGetProperty(int type, int *value) {
	if (type < 0 || type > 2 || value == NULL)
		return failed(CUBLAS_STATUS_INVALID_VALUE);
	*value = type == 0 ? library_version() : 0;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *version) {
	(void)h;
	*version = library_version() * 10000;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT size_t cublasGetCudartVersion(void) { return (size_t)library_version() * 1000; }

EXPORT cublasStatus_t cublasLoggerConfigure(int on, int out, int err, const char *file) {
	(void)on, (void)out, (void)err, (void)file;
	return CUBLAS_STATUS_SUCCESS;
}

// Copies of vectors and matrices between the host and the device: of n columns of so many bytes.
static cublasStatus_t copied(int64_t rows, int64_t columns, int64_t size, const char *from, int64_t from_step, char *to, int64_t to_step, int to_device, int async, struct stream *s) {
	if (rows < 0 || columns < 0 || size <= 0 || from_step <= 0 || to_step <= 0)
		return failed(CUBLAS_STATUS_INVALID_VALUE);
	int error = WIRE_OK, outer = wire_parts();
	if (async)
		wire_in(library_stream(s));
	if (from_step == rows && to_step == rows && columns > 0)
		rows *= columns, from_step *= columns, to_step *= columns, columns = 1;
	for (int64_t i = 0; i < columns && rows > 0 && error == WIRE_OK; i++, from += from_step * size, to += to_step * size)
		error = to_device ? wire_write((uint64_t)to, from, rows * size) : wire_read(to, (uint64_t)from, rows * size);
	if (async)
		wire_done();
	wire_end_parts(outer);
	return error == WIRE_INVALID_VALUE ? failed(CUBLAS_STATUS_MAPPING_ERROR) : library_status(error);
}

// TRANSFERS defines the functions for one type of integers, and those with a stream.
#define TRANSFERS(end, n)                                                                                                         \
	TRANSFER(end, n, , , 0, NULL)                                                                                                 \
	TRANSFER(end, n, Async, COMMA struct stream *s, 1, s)
#define COMMA ,
#define TRANSFER(end, n, form, stream, async, s)                                                                                  \
	EXPORT cublasStatus_t cublasSetVector##form##end(n count, n size, const void *x, n incx, void *y, n incy stream) {            \
		return copied(1, count, size, x, incx, y, incy, 1, async, s);                                                             \
	}                                                                                                                             \
	EXPORT cublasStatus_t cublasGetVector##form##end(n count, n size, const void *x, n incx, void *y, n incy stream) {            \
		return copied(1, count, size, x, incx, y, incy, 0, async, s);                                                             \
	}                                                                                                                             \
	EXPORT cublasStatus_t cublasSetMatrix##form##end(n rows, n columns, n size, const void *a, n lda, void *b, n ldb stream) {    \
		return lda < rows || ldb < rows ? failed(CUBLAS_STATUS_INVALID_VALUE) : copied(rows, columns, size, a, lda, b, ldb, 1, async, s); \
	}                                                                                                                             \
	EXPORT cublasStatus_t cublasGetMatrix##form##end(n rows, n columns, n size, const void *a, n lda, void *b, n ldb stream) {    \
		return lda < rows || ldb < rows ? failed(CUBLAS_STATUS_INVALID_VALUE) : copied(rows, columns, size, a, lda, b, ldb, 0, async, s); \
	}
TRANSFERS(, int)
TRANSFERS(_64, int64_t)

// The API from before version 2 has no handles; programs that use its helper functions only are common.
EXPORT cublasStatus_t cublasInit(void) { return library_status(wire_ready()); }
EXPORT cublasStatus_t cublasShutdown(void) { return CUBLAS_STATUS_SUCCESS; }
EXPORT cublasStatus_t cublasAlloc(int n, int size, void **out) {
	uint64_t address = 0;
	int error = n <= 0 || size <= 0 ? WIRE_INVALID_VALUE : wire_alloc((uint64_t)n * (uint64_t)size, WIRE_DEVICE_MEMORY, &address);
	*out = (void *)address;
	return library_status(error);
}
EXPORT cublasStatus_t cublasFree(void *p) { return library_status(wire_free((uint64_t)p)); }
EXPORT cublasStatus_t cublasGetError(void) { return CUBLAS_STATUS_SUCCESS; }
EXPORT cublasStatus_t cublasGetVersion(int *version) { return cublasGetVersion_v2(NULL, version); }
EXPORT cublasStatus_t cublasSetKernelStream(void *stream) { return stream == NULL ? CUBLAS_STATUS_SUCCESS : library_status(wire_missing(LIBRARY, "cublasSetKernelStream")); }
