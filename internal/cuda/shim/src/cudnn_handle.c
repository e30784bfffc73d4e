// Handles of cuDNN. Its kernels exist as machine code only, so that every computation is reported as not supported; programs that
// merely ask for a handle when they start, as XLA does, run.
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

// cudnnStatus_t
enum { SUCCESS = 0, ALLOCATION_FAILED = 1001, NULL_POINTER = 2002, BAD_PARAM = 2000 };
enum { MAJOR = 9, MINOR = 28, PATCH = 1 };

struct handle {
	void *stream;
};

EXPORT int cudnnCreate(struct handle **out) {
	if (out == NULL)
		return NULL_POINTER;
	*out = calloc(1, sizeof **out);
	return *out == NULL ? ALLOCATION_FAILED : SUCCESS;
}

EXPORT int cudnnDestroy(struct handle *h) {
	free(h);
	return SUCCESS;
}

EXPORT int cudnnSetStream(struct handle *h, void *stream) {
	if (h == NULL)
		return NULL_POINTER;
	h->stream = stream;
	return SUCCESS;
}

EXPORT int cudnnGetStream(const struct handle *h, void **stream) {
	if (h == NULL || stream == NULL)
		return NULL_POINTER;
	*stream = h->stream;
	return SUCCESS;
}

EXPORT size_t cudnnGetVersion(void) { return MAJOR * 10000 + MINOR * 100 + PATCH; }

EXPORT size_t cudnnGetCudartVersion(void) { return 13050; }

EXPORT int cudnnGetProperty(int property, int *value) {
	static const int version[] = {MAJOR, MINOR, PATCH};
	if (value == NULL || property < 0 || property > 2)
		return BAD_PARAM;
	*value = version[property];
	return SUCCESS;
}

EXPORT const char *cudnnGetErrorString(int status) {
	return status == SUCCESS ? "CUDNN_STATUS_SUCCESS" : status == NOT_SUPPORTED ? "CUDNN_STATUS_NOT_SUPPORTED" : "CUDNN_STATUS_BAD_PARAM";
}

EXPORT void cudnnGetLastErrorString(char *message, size_t size) {
	if (message != NULL && size > 0)
		snprintf(message, size, "cuDNN's kernels are machine code, which ptxsan does not execute");
}
