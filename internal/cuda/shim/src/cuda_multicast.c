// Multicast objects of the driver API: handles whose addresses stand for memory of several devices.
#include "cuda.h"

enum { GRANULARITY = 2 << 20 };   // as in internal/cuda
enum { POSIX_DESCRIPTOR = 1 };    // CUmemAllocationHandleType
enum { MULTICAST_MAJOR = 9 };     // PTX ISA, "multimem"

// CUmulticastObjectProp.
struct multicast_properties {
	unsigned devices;
	size_t size;
	unsigned long long handles, flags;
};

// supported is the error of properties.
static CUresult supported(const struct multicast_properties *p) {
	CUresult error;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL)
		return error;
	if (p == NULL || p->devices == 0 || p->flags != 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (d->major < MULTICAST_MAJOR)
		return CUDA_ERROR_NOT_SUPPORTED;
	if ((p->handles & ~POSIX_DESCRIPTOR) != 0)
		return wire_missing(LIBRARY, "cuMulticastCreate of an object that is exported other than by a file descriptor");
	return CUDA_SUCCESS;
}

EXPORT CUresult cuMulticastGetGranularity(size_t *granularity, const struct multicast_properties *p, int option) {
	enum { MINIMUM, RECOMMENDED };
	CUresult error = granularity == NULL || option < MINIMUM || option > RECOMMENDED ? CUDA_ERROR_INVALID_VALUE : supported(p);
	if (error == CUDA_SUCCESS)
		*granularity = GRANULARITY;
	return failed(error);
}

EXPORT CUresult cuMulticastCreate(uint64_t *handle, const struct multicast_properties *p) {
	CUresult error = handle == NULL ? CUDA_ERROR_INVALID_VALUE : supported(p);
	return failed(error != CUDA_SUCCESS ? error : wire_multicast(MULTICAST_CREATE, 0, p->size, p->devices, 0, 0, handle));
}

EXPORT CUresult cuMulticastAddDevice(uint64_t handle, CUdevice device) {
	CUresult error = wire_exists(device);
	return failed(error != CUDA_SUCCESS ? error : wire_multicast(MULTICAST_ADD, handle, device, 0, 0, 0, NULL));
}

EXPORT CUresult cuMulticastBindMem(uint64_t handle, size_t offset, uint64_t memory, size_t first, size_t size, unsigned long long flags) {
	return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_multicast(MULTICAST_BIND, handle, offset, memory, first, size, NULL));
}

// is_on is the error of memory that has to be on a device.
static CUresult is_on(CUdevice device, uint64_t memory) {
	struct {
		int type, handles;
		struct wire_pool_location location;
	} properties;
	CUresult error = wire_properties(memory, &properties, sizeof properties);
	return error != CUDA_SUCCESS ? error : properties.location.id == device ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult cuMulticastBindMem_v2(uint64_t handle, CUdevice device, size_t offset, uint64_t memory, size_t first, size_t size, unsigned long long flags) {
	CUresult error = is_on(device, memory);
	return error != CUDA_SUCCESS ? failed(error) : cuMulticastBindMem(handle, offset, memory, first, size, flags);
}

EXPORT CUresult cuMulticastBindAddr(uint64_t handle, size_t offset, CUdeviceptr p, size_t size, unsigned long long flags) {
	return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_multicast(MULTICAST_BIND_ADDRESS, handle, offset, p, size, 0, NULL));
}

EXPORT CUresult cuMulticastBindAddr_v2(uint64_t handle, CUdevice device, size_t offset, CUdeviceptr p, size_t size, unsigned long long flags) {
	uint64_t memory;
	CUresult error = wire_virtual(VIRTUAL_RETAIN, p, 0, 0, 0, &memory);
	if (error == CUDA_SUCCESS) {
		error = is_on(device, memory);
		wire_virtual(VIRTUAL_RELEASE, memory, 0, 0, 0, NULL);
	}
	return error != CUDA_SUCCESS ? failed(error) : cuMulticastBindAddr(handle, offset, p, size, flags);
}

EXPORT CUresult cuMulticastUnbind(uint64_t handle, CUdevice device, size_t offset, size_t size) {
	CUresult error = wire_exists(device);
	return failed(error != CUDA_SUCCESS ? error : wire_multicast(MULTICAST_UNBIND, handle, device, offset, size, 0, NULL));
}
