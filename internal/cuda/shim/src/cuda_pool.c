// Memory pools of the driver API, and what allocates from them.
#include "cuda_graph.h"

EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *p, size_t size, struct wire_pool *pool, CUstream stream) {
	if (p == NULL || size == 0)
		return failed(CUDA_ERROR_INVALID_VALUE);
	if (recording(stream) != NULL)
		return failed(captured(stream, record_alloc(recording(stream), pool, size, p)));
	return failed(IN(stream_id(stream), wire_pool_alloc(pool, size, p)));
}
PTSZ(cuMemAllocFromPoolAsync, (CUdeviceptr *, size_t, struct wire_pool *, CUstream))

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *p, size_t size, CUstream stream) {
	return cuMemAllocFromPoolAsync(p, size, wire_pool_current(device_of_stream(stream)), stream);
}
PTSZ(cuMemAllocAsync, (CUdeviceptr *, size_t, CUstream))

// pool_of is a pool of a device.
static CUresult pool_of(struct wire_pool **out, struct wire_pool *(*pool)(uint32_t), CUdevice device) {
	CUresult error = out == NULL ? CUDA_ERROR_INVALID_VALUE : wire_exists(device);
	if (error == CUDA_SUCCESS)
		error = wire_ready();
	if (error == CUDA_SUCCESS)
		*out = pool(device);
	return failed(error);
}

EXPORT CUresult cuDeviceGetDefaultMemPool(struct wire_pool **pool, CUdevice device) { return pool_of(pool, wire_pool_default, device); }
EXPORT CUresult cuDeviceGetMemPool(struct wire_pool **pool, CUdevice device) { return pool_of(pool, wire_pool_current, device); }

EXPORT CUresult cuDeviceSetMemPool(CUdevice device, struct wire_pool *pool) {
	CUresult error = wire_exists(device);
	return failed(error == CUDA_SUCCESS ? wire_pool_use(device, pool) : error);
}

EXPORT CUresult cuMemPoolCreate(struct wire_pool **pool, const struct wire_pool_properties *properties) {
	return failed(wire_pool_create(properties, pool));
}

EXPORT CUresult cuMemPoolDestroy(struct wire_pool *pool) { return failed(wire_pool_destroy(pool)); }

EXPORT CUresult cuMemPoolTrimTo(struct wire_pool *pool, size_t least) {
	(void)least; // nothing is kept
	return failed(wire_pool_check(pool));
}

EXPORT CUresult cuMemPoolSetAttribute(struct wire_pool *pool, int attribute, void *value) { return failed(wire_pool_set(pool, attribute, value)); }
EXPORT CUresult cuMemPoolGetAttribute(struct wire_pool *pool, int attribute, void *value) { return failed(wire_pool_get(pool, attribute, value)); }

EXPORT CUresult cuMemPoolSetAccess(struct wire_pool *pool, const struct wire_pool_access *list, size_t n) {
	return failed(wire_pool_allow(pool, list, n));
}

EXPORT CUresult cuMemPoolGetAccess(int *access, struct wire_pool *pool, const struct wire_pool_location *location) {
	return failed(wire_pool_access(pool, location, access));
}

// location_is reports whether a location is the device, for which there are pools.
static int location_is(const struct wire_pool_location *location) {
	enum { DEVICE = 1 };
	return location != NULL && location->kind == DEVICE;
}

EXPORT CUresult cuMemGetDefaultMemPool(struct wire_pool **pool, const struct wire_pool_location *location, int kind) {
	(void)kind;
	return location_is(location) ? pool_of(pool, wire_pool_default, location->id) : failed(CUDA_ERROR_NOT_SUPPORTED);
}

EXPORT CUresult cuMemGetMemPool(struct wire_pool **pool, const struct wire_pool_location *location, int kind) {
	(void)kind;
	return location_is(location) ? pool_of(pool, wire_pool_current, location->id) : failed(CUDA_ERROR_NOT_SUPPORTED);
}

EXPORT CUresult cuMemSetMemPool(const struct wire_pool_location *location, int kind, struct wire_pool *pool) {
	(void)kind;
	return failed(location_is(location) ? cuDeviceSetMemPool(location->id, pool) : CUDA_ERROR_NOT_SUPPORTED);
}
