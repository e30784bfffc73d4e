// cuSPARSE's handles (cuSPARSE, "cuSPARSE Management Function Reference").
#include "library.h"

#include <stdlib.h>

typedef int cusparseStatus_t;
typedef struct library_handle *cusparseHandle_t;

static const struct {
	int status;
	const char *name, *text;
} texts[] = {
	{0, "CUSPARSE_STATUS_SUCCESS", "success"},
	{1, "CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
	{2, "CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"},
	{3, "CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
	{6, "CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"},
	{7, "CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
	{10, "CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
};
enum { TEXTS = sizeof texts / sizeof *texts };

EXPORT const char *cusparseGetErrorName(cusparseStatus_t status) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].status == status)
			return texts[i].name;
	return "unrecognized error code";
}

EXPORT const char *cusparseGetErrorString(cusparseStatus_t status) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].status == status)
			return texts[i].text;
	return "unrecognized error code";
}

static cusparseStatus_t failed(cusparseStatus_t status) {
	wire_failed(status, cusparseGetErrorName(status), cusparseGetErrorString(status));
	return status;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return 0;
	case WIRE_INVALID_VALUE: case WIRE_INVALID_HANDLE: return failed(3);
	case WIRE_OUT_OF_MEMORY: return failed(2);
	case WIRE_NOT_SUPPORTED: return 10;
	case WIRE_NOT_INITIALIZED: case WIRE_NO_DEVICE: return 1;
	default: return failed(6);
	}
}

EXPORT cusparseStatus_t cusparseCreate(cusparseHandle_t *out) {
	int error = wire_ready();
	*out = error == WIRE_OK ? calloc(1, sizeof **out) : NULL;
	return library_status(error == WIRE_OK && *out == NULL ? WIRE_OUT_OF_MEMORY : error);
}

EXPORT cusparseStatus_t cusparseDestroy(cusparseHandle_t h) {
	free(h);
	return library_status(h == NULL ? WIRE_NOT_INITIALIZED : WIRE_OK);
}

// KEPT defines functions that keep a value in a handle and return it.
#define KEPT(set, get, type, member)                         \
	EXPORT cusparseStatus_t set(cusparseHandle_t h, type value) { \
		if (h != NULL)                                       \
			h->member = value;                               \
		return library_status(h == NULL ? WIRE_NOT_INITIALIZED : WIRE_OK); \
	}                                                        \
	EXPORT cusparseStatus_t get(cusparseHandle_t h, type *value) { \
		if (h != NULL)                                       \
			*value = h->member;                              \
		return library_status(h == NULL ? WIRE_NOT_INITIALIZED : WIRE_OK); \
	}
KEPT(cusparseSetStream, cusparseGetStream, struct stream *, stream)
KEPT(cusparseSetPointerMode, cusparseGetPointerMode, int, device_scalars)

EXPORT cusparseStatus_t cusparseGetVersion(cusparseHandle_t h, int *version) {
	*version = library_version() * 1000;
	return library_status(h == NULL ? WIRE_NOT_INITIALIZED : WIRE_OK);
}

EXPORT cusparseStatus_t cusparseGetProperty(int type, int *value) {
	*value = type == 0 ? library_version() : 0;
	return 0;
}
