// Logical endpoints of the driver API: unicast ones, over memory of a device.
#include "cuda.h"

enum { ALIGNMENT = 2 << 20 };        // as in internal/cuda
enum { UNICAST = 1, MULTICAST = 2 }; // CUlogicalEndpointType
enum { COUNTED = 1 };               // CUlogicalEndpointFlag
enum { LAST_HANDLE = 1 };           // CUlogicalEndpointIpcHandleType
enum { FABRIC_MAJOR = 10 };         // PTX ISA, "Fabric Instructions"

// CUlogicalEndpointProp.
struct endpoint_properties {
	int type;
	int device; // number of devices for multicast
	unsigned long long size;
	unsigned handles, flags;
};

// endpoint_device is the error of a device whose memory an endpoint is to have.
static CUresult endpoint_device(CUdevice device) {
	CUresult error = wire_exists(device);
	return error == CUDA_ERROR_INVALID_DEVICE ? CUDA_ERROR_INVALID_VALUE : error;
}

// supported is the error of properties: endpoints are unicast ones, and no other process imports them.
static CUresult supported(const struct endpoint_properties *p) {
	CUresult error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL)
		return error;
	if (p == NULL || p->type < UNICAST || p->type > MULTICAST || (p->handles & ~LAST_HANDLE) != 0 || (p->flags & ~COUNTED) != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (d->major < FABRIC_MAJOR)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (p->type == MULTICAST)
		return wire_missing(LIBRARY, "cuLogicalEndpointCreate of a multicast endpoint");
	if (p->handles != 0)
		return wire_missing(LIBRARY, "cuLogicalEndpointCreate of an endpoint that can be exported");
	return endpoint_device(p->device);
}

EXPORT CUresult cuLogicalEndpointGetLimits(uint64_t *alignment, uint64_t *most, const struct endpoint_properties *p) {
	CUresult error = alignment == NULL || most == NULL ? CUDA_ERROR_INVALID_VALUE : supported(p);
	if (error == CUDA_SUCCESS)
		*alignment = ALIGNMENT, *most = wire_device(&error)->memory / ALIGNMENT * ALIGNMENT;
	return failed(error);
}

EXPORT CUresult cuLogicalEndpointIdReserve(uint32_t *base, uint32_t count) {
	uint64_t first;
	CUresult error = base == NULL ? CUDA_ERROR_INVALID_VALUE : wire_endpoint(ENDPOINT_RESERVE, 0, count, 0, 0, 0, &first);
	if (error == CUDA_SUCCESS)
		*base = first;
	return failed(error);
}

EXPORT CUresult cuLogicalEndpointIdRelease(uint32_t base, uint32_t count) { return failed(wire_endpoint(ENDPOINT_RELEASE, base, count, 0, 0, 0, NULL)); }

EXPORT CUresult cuLogicalEndpointCreate(uint32_t id, const struct endpoint_properties *p) {
	CUresult error = supported(p);
	return failed(error != CUDA_SUCCESS ? error : wire_endpoint(ENDPOINT_CREATE, id, p->size, 0, 0, 0, NULL));
}

EXPORT CUresult cuLogicalEndpointDestroy(uint32_t id) { return failed(wire_endpoint(ENDPOINT_DESTROY, id, 0, 0, 0, 0, NULL)); }

EXPORT CUresult cuLogicalEndpointQuery(uint32_t id, uint32_t count, int *status) {
	uint64_t ready;
	CUresult error = status == NULL ? CUDA_ERROR_INVALID_VALUE : wire_endpoint(ENDPOINT_QUERY, id, count, 0, 0, 0, &ready);
	if (error == CUDA_SUCCESS)
		*status = ready;
	return failed(error);
}

EXPORT CUresult cuLogicalEndpointBindMem(uint32_t id, CUdevice device, uint64_t offset, uint64_t handle, uint64_t first, uint64_t size, unsigned long long flags) {
	return failed(flags != 0 || endpoint_device(device) != CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : wire_endpoint(ENDPOINT_BIND, id, offset, handle, first, size, NULL));
}

EXPORT CUresult cuLogicalEndpointBindAddr(uint32_t id, CUdevice device, uint64_t offset, void *p, uint64_t size, unsigned long long flags) {
	return failed(flags != 0 || endpoint_device(device) != CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : wire_endpoint(ENDPOINT_BIND_ADDRESS, id, offset, (uint64_t)p, size, 0, NULL));
}

EXPORT CUresult cuLogicalEndpointUnbind(uint32_t id, CUdevice device, uint64_t offset, uint64_t size) {
	return failed(endpoint_device(device) != CUDA_SUCCESS ? CUDA_ERROR_INVALID_VALUE : wire_endpoint(ENDPOINT_UNBIND, id, offset, size, 0, 0, NULL));
}
