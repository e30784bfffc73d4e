// Errors of the runtime API: the last one of each thread, names and texts.
#include "cudart.h"

static __thread cudaError_t last;
const char *cudaGetErrorName(cudaError_t), *cudaGetErrorString(cudaError_t);

cudaError_t failed(cudaError_t error) {
	wire_use_primary();
	if (error != cudaSuccess) {
		last = error;
		wire_failed(error, cudaGetErrorName(error), cudaGetErrorString(error));
	}
	return error;
}

EXPORT cudaError_t cudaPeekAtLastError(void) {
	if (last == cudaSuccess)
		last = wire_sticky();
	if (last != cudaSuccess)
		wire_handled();
	return last;
}

EXPORT cudaError_t cudaGetLastError(void) {
	cudaError_t error = cudaPeekAtLastError();
	last = cudaSuccess;
	return error;
}

static const struct {
	cudaError_t error;
	const char *name, *text;
} texts[] = {
#define ERROR(number, name, driver, text) {number, "cuda" name, text},
#include "errors.h"
#undef ERROR
};

enum { TEXTS = sizeof texts / sizeof *texts };

EXPORT const char *cudaGetErrorName(cudaError_t error) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].error == error)
			return texts[i].name;
	return "unrecognized error code";
}

EXPORT const char *cudaGetErrorString(cudaError_t error) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].error == error)
			return texts[i].text;
	return "unrecognized error code";
}
