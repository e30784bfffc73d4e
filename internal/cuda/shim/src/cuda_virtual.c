// Virtual memory management of the driver API: reserved addresses, and memory that is mapped there.
#include "cuda.h"

#include <string.h>

enum { GRANULARITY = 2 << 20 }; // as in internal/cuda

// CUmemAllocationProp, in which location is that of memory pools.
struct properties {
	int type, handles;
	struct wire_pool_location location;
	void *security;
	unsigned char compression, rdma;
	unsigned short usage;
	unsigned char reserved[4];
};

enum { PINNED = 1 };              // CUmemAllocationType
enum { POSIX_DESCRIPTOR = 1 };    // CUmemAllocationHandleType
enum { OF_DEVICE = 1, KINDS = 8 }; // CUmemLocationType

// made_of is the error of properties of memory: only the device's is supported.
static CUresult made_of(const struct properties *p) {
	if (p == NULL || p->location.kind <= 0 || p->location.kind >= KINDS)
		return CUDA_ERROR_INVALID_VALUE;
	if (p->type != PINNED)
		return wire_missing(LIBRARY, "cuMemCreate of memory that is not pinned");
	if (p->location.kind != OF_DEVICE)
		return wire_missing(LIBRARY, "cuMemCreate of memory of the host");
	return wire_exists(p->location.id);
}

EXPORT CUresult cuMemGetAllocationGranularity(size_t *granularity, const struct properties *p, int option) {
	enum { MINIMUM, RECOMMENDED };
	CUresult error = wire_ready();
	if (error == CUDA_SUCCESS)
		error = granularity == NULL || option < MINIMUM || option > RECOMMENDED ? CUDA_ERROR_INVALID_VALUE : made_of(p);
	if (error == CUDA_SUCCESS)
		*granularity = GRANULARITY;
	return failed(error);
}

EXPORT CUresult cuMemAddressReserve(CUdeviceptr *p, size_t size, size_t alignment, CUdeviceptr hint, unsigned long long flags) {
	(void)hint; // a driver may place the range elsewhere
	if (p == NULL || flags != 0)
		return failed(CUDA_ERROR_INVALID_VALUE);
	return failed(wire_virtual(VIRTUAL_RESERVE, size, alignment, 0, 0, p));
}

EXPORT CUresult cuMemAddressFree(CUdeviceptr p, size_t size) { return failed(wire_virtual(VIRTUAL_UNRESERVE, p, size, 0, 0, NULL)); }

EXPORT CUresult cuMemCreate(uint64_t *handle, size_t size, const struct properties *p, unsigned long long flags) {
	if (handle == NULL || flags != 0)
		return failed(CUDA_ERROR_INVALID_VALUE);
	CUresult error = made_of(p);
	if (error == CUDA_SUCCESS && (p->handles & ~POSIX_DESCRIPTOR) != 0)
		error = wire_missing(LIBRARY, "cuMemCreate of memory that is exported other than by a file descriptor");
	if (error != CUDA_SUCCESS)
		return failed(error);
	struct properties made = *p;
	made.compression = 0; // a wish
	return failed(wire_create(size, p->location.id, &made, sizeof made, handle));
}

EXPORT CUresult cuMemRelease(uint64_t handle) { return failed(wire_virtual(VIRTUAL_RELEASE, handle, 0, 0, 0, NULL)); }

EXPORT CUresult cuMemGetAllocationPropertiesFromHandle(struct properties *p, uint64_t handle) {
	return failed(p == NULL ? CUDA_ERROR_INVALID_VALUE : wire_properties(handle, p, sizeof *p));
}

EXPORT CUresult cuMemRetainAllocationHandle(uint64_t *handle, void *address) {
	return failed(handle == NULL ? CUDA_ERROR_INVALID_VALUE : wire_virtual(VIRTUAL_RETAIN, (uint64_t)address, 0, 0, 0, handle));
}

EXPORT CUresult cuMemMap(CUdeviceptr p, size_t size, size_t offset, uint64_t handle, unsigned long long flags) {
	return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_virtual(VIRTUAL_MAP, p, size, handle, offset, NULL));
}

EXPORT CUresult cuMemUnmap(CUdeviceptr p, size_t size) { return failed(wire_virtual(VIRTUAL_UNMAP, p, size, 0, 0, NULL)); }

// for_device is the error of a location whose access is asked for.
static CUresult for_device(const struct wire_pool_location *l) {
	if (l->kind <= 0 || l->kind >= KINDS)
		return CUDA_ERROR_INVALID_VALUE;
	if (l->kind != OF_DEVICE)
		return wire_missing(LIBRARY, "access of the host to memory of cuMemCreate");
	return wire_exists(l->id);
}

EXPORT CUresult cuMemSetAccess(CUdeviceptr p, size_t size, const struct wire_pool_access *list, size_t n) {
	CUresult error = list == NULL || n == 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
	for (size_t i = 0; i < n && error == CUDA_SUCCESS; i++)
		error = for_device(&list[i].location);
	for (size_t i = 0; i < n && error == CUDA_SUCCESS; i++)
		error = wire_virtual(VIRTUAL_ALLOW, p, size, list[i].access, list[i].location.id, NULL);
	return failed(error);
}

EXPORT CUresult cuMemGetAccess(unsigned long long *flags, const struct wire_pool_location *location, CUdeviceptr p) {
	CUresult error = flags == NULL || location == NULL ? CUDA_ERROR_INVALID_VALUE : for_device(location);
	return failed(error != CUDA_SUCCESS ? error : wire_virtual(VIRTUAL_ACCESS, p, location->id, 0, 0, (uint64_t *)flags));
}
