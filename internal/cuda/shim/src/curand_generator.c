// cuRAND's generators (cuRAND, "Host API"): where their numbers go, and versions.
#include "library.h"

#include <stdlib.h>

typedef int curandStatus_t;
typedef struct library_handle *curandGenerator_t;

enum {
	CURAND_STATUS_SUCCESS = 0,
	CURAND_STATUS_NOT_INITIALIZED = 101,
	CURAND_STATUS_ALLOCATION_FAILED = 102,
	CURAND_STATUS_OUT_OF_RANGE = 104,
	CURAND_STATUS_LAUNCH_FAILURE = 201,
	CURAND_STATUS_INITIALIZATION_FAILED = 203,
	CURAND_STATUS_INTERNAL_ERROR = 999,
};

static curandStatus_t failed(curandStatus_t status, const char *name, const char *text) {
	wire_failed(status, name, text);
	return status;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return CURAND_STATUS_SUCCESS;
	case WIRE_INVALID_VALUE: return failed(CURAND_STATUS_OUT_OF_RANGE, "CURAND_STATUS_OUT_OF_RANGE", "argument out of range");
	case WIRE_OUT_OF_MEMORY: return failed(CURAND_STATUS_ALLOCATION_FAILED, "CURAND_STATUS_ALLOCATION_FAILED", "memory allocation failed");
	case WIRE_NOT_SUPPORTED: return CURAND_STATUS_INTERNAL_ERROR;
	case WIRE_NOT_INITIALIZED: return CURAND_STATUS_NOT_INITIALIZED;
	case WIRE_NO_DEVICE: return CURAND_STATUS_INITIALIZATION_FAILED;
	default: return failed(CURAND_STATUS_LAUNCH_FAILURE, "CURAND_STATUS_LAUNCH_FAILURE", "kernel launch failure");
	}
}

EXPORT curandStatus_t curandCreateGenerator(curandGenerator_t *out, int type) {
	curandGenerator_t g = calloc(1, sizeof *g);
	if (g == NULL)
		return library_status(WIRE_OUT_OF_MEMORY);
	const struct library_argument list[] = {library_value((uint32_t)type), library_result(NULL, &g->object, sizeof g->object)};
	int error = library_call(NULL, "curand.create", list, 2);
	if (error != WIRE_OK)
		free(g), g = NULL;
	*out = g;
	return library_status(error);
}

EXPORT curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
	if (g == NULL)
		return CURAND_STATUS_NOT_INITIALIZED;
	const struct library_argument list[] = {library_value(g->object)};
	int error = library_call(NULL, "curand.destroy", list, 1);
	free(g);
	return library_status(error);
}

EXPORT curandStatus_t curandSetStream(curandGenerator_t g, struct stream *s) {
	if (g == NULL)
		return CURAND_STATUS_NOT_INITIALIZED;
	g->stream = s;
	return CURAND_STATUS_SUCCESS;
}

// Seeds that the library would prepare ahead of the first numbers are there already.
EXPORT curandStatus_t curandGenerateSeeds(curandGenerator_t g) { return g == NULL ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS; }

EXPORT curandStatus_t curandGetVersion(int *version) {
	*version = library_version() * 1000;
	return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandGetProperty(int type, int *value) {
	*value = type == 0 ? library_version() : 0;
	return CURAND_STATUS_SUCCESS;
}
