// Memory pools of the runtime API, and what allocates from them.
#include "cudart_graph.h"

EXPORT cudaError_t cudaMallocFromPoolAsync(void **p, size_t size, struct wire_pool *pool, cudaStream_t stream) {
	if (p == NULL)
		return failed(cudaErrorInvalidValue);
	*p = NULL;
	if (size == 0)
		return failed(wire_pool_check(pool));
	struct graph *g = recording(stream);
	if (g != NULL)
		return failed(captured(stream, record_alloc(g, pool, size, (uint64_t *)p)));
	return failed(IN(stream_id(stream), wire_pool_alloc(pool, size, (uint64_t *)p)));
}
PTSZ(cudaError_t, cudaMallocFromPoolAsync, (void **, size_t, struct wire_pool *, cudaStream_t))

EXPORT cudaError_t cudaMallocAsync(void **p, size_t size, cudaStream_t stream) {
	return cudaMallocFromPoolAsync(p, size, wire_pool_current(device_of_stream(stream)), stream);
}
PTSZ(cudaError_t, cudaMallocAsync, (void **, size_t, cudaStream_t))

// pool_of is a pool of a device.
static cudaError_t pool_of(struct wire_pool **out, struct wire_pool *(*pool)(uint32_t), int device) {
	cudaError_t error = out == NULL ? cudaErrorInvalidValue : wire_exists(device);
	if (error == cudaSuccess)
		error = wire_ready();
	if (error == cudaSuccess)
		*out = pool(device);
	return failed(error);
}

EXPORT cudaError_t cudaDeviceGetDefaultMemPool(struct wire_pool **pool, int device) { return pool_of(pool, wire_pool_default, device); }
EXPORT cudaError_t cudaDeviceGetMemPool(struct wire_pool **pool, int device) { return pool_of(pool, wire_pool_current, device); }

EXPORT cudaError_t cudaDeviceSetMemPool(int device, struct wire_pool *pool) {
	cudaError_t error = wire_exists(device);
	return failed(error == cudaSuccess ? wire_pool_use(device, pool) : error);
}

EXPORT cudaError_t cudaMemPoolCreate(struct wire_pool **pool, const struct wire_pool_properties *properties) {
	return failed(wire_pool_create(properties, pool));
}

EXPORT cudaError_t cudaMemPoolDestroy(struct wire_pool *pool) { return failed(wire_pool_destroy(pool)); }

EXPORT cudaError_t cudaMemPoolTrimTo(struct wire_pool *pool, size_t least) {
	(void)least; // nothing is kept
	return failed(wire_pool_check(pool));
}

EXPORT cudaError_t cudaMemPoolSetAttribute(struct wire_pool *pool, int attribute, void *value) {
	return failed(wire_pool_set(pool, attribute, value));
}

EXPORT cudaError_t cudaMemPoolGetAttribute(struct wire_pool *pool, int attribute, void *value) {
	return failed(wire_pool_get(pool, attribute, value));
}

EXPORT cudaError_t cudaMemPoolSetAccess(struct wire_pool *pool, const struct wire_pool_access *list, size_t n) {
	return failed(wire_pool_allow(pool, list, n));
}

EXPORT cudaError_t cudaMemPoolGetAccess(int *access, struct wire_pool *pool, const struct wire_pool_location *location) {
	return failed(wire_pool_access(pool, location, access));
}

// location_is reports whether a location is the device, for which there are pools.
static int location_is(const struct wire_pool_location *location) {
	enum { DEVICE = 1 };
	return location != NULL && location->kind == DEVICE;
}

EXPORT cudaError_t cudaMemGetDefaultMemPool(struct wire_pool **pool, const struct wire_pool_location *location, int kind) {
	(void)kind;
	return location_is(location) ? pool_of(pool, wire_pool_default, location->id) : failed(cudaErrorNotSupported);
}

EXPORT cudaError_t cudaMemGetMemPool(struct wire_pool **pool, const struct wire_pool_location *location, int kind) {
	(void)kind;
	return location_is(location) ? pool_of(pool, wire_pool_current, location->id) : failed(cudaErrorNotSupported);
}

EXPORT cudaError_t cudaMemSetMemPool(const struct wire_pool_location *location, int kind, struct wire_pool *pool) {
	(void)kind;
	return location_is(location) ? cudaDeviceSetMemPool(location->id, pool) : failed(cudaErrorNotSupported);
}
