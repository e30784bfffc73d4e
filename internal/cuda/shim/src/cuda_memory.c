// Memory of the driver API. Managed and pinned memory is one memory with one address for the
// host and the device.
#include "cuda_graph.h"

#include <string.h>

enum { PITCH = 512 };

EXPORT CUresult cuMemGetInfo(size_t *free_bytes, size_t *total) { return failed(wire_memory(free_bytes, total)); }
VERSION2(cuMemGetInfo, (size_t *, size_t *))

EXPORT CUresult cuMemAlloc(CUdeviceptr *p, size_t size) { return failed(wire_alloc(size, WIRE_DEVICE_MEMORY, p)); }
VERSION2(cuMemAlloc, (CUdeviceptr *, size_t))

EXPORT CUresult cuMemAllocPitch(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element) {
	(void)element;
	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	return failed(wire_alloc_rows(*pitch, width, height, p));
}
VERSION2(cuMemAllocPitch, (CUdeviceptr *, size_t *, size_t, size_t, unsigned))

EXPORT CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags) {
	(void)flags;
	return failed(wire_alloc(size, WIRE_MANAGED, p));
}

EXPORT CUresult cuMemAllocHost(void **p, size_t size) { return failed(wire_alloc(size, WIRE_HOST_VISIBLE, (uint64_t *)p)); }
VERSION2(cuMemAllocHost, (void **, size_t))

EXPORT CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags) {
	(void)flags;
	return failed(wire_alloc(size, WIRE_HOST_VISIBLE, (uint64_t *)p));
}

// Memory of a graph remains, for its next launch.
EXPORT CUresult cuMemFree(CUdeviceptr p) { return failed(p == 0 || held_freed(p) ? wire_ready() : wire_free(p)); }
VERSION2(cuMemFree, (CUdeviceptr))

EXPORT CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream) {
	if (recording(stream) != NULL)
		return failed(captured(stream, record_free(recording(stream), p)));
	return failed(IN(stream_id(stream), cuMemFree(p)));
}
PTSZ(cuMemFreeAsync, (CUdeviceptr, CUstream))

EXPORT CUresult cuMemFreeHost(void *p) { return failed(wire_unreachable(p) ? CUDA_ERROR_INVALID_VALUE : cuMemFree((CUdeviceptr)p)); }

EXPORT CUresult cuMemHostRegister(void *p, size_t size, unsigned flags) {
	(void)flags;
	return failed(wire_register(p, size));
}
VERSION2(cuMemHostRegister, (void *, size_t, unsigned))

EXPORT CUresult cuMemHostUnregister(void *p) { return failed(wire_unregister(p)); }

EXPORT CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags) {
	(void)flags;
	return failed(wire_device_pointer(host, device));
}
VERSION2(cuMemHostGetDevicePointer, (CUdeviceptr *, void *, unsigned))

EXPORT CUresult cuMemHostGetFlags(unsigned *flags, void *host) {
	CUdeviceptr device;
	*flags = 2; // mapped
	return failed(wire_device_pointer(host, &device));
}

EXPORT CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr p) {
	struct wire_pointer w;
	CUresult error = wire_pointer(p, &w);
	if (error != CUDA_SUCCESS || w.known != WIRE_MEMORY)
		return failed(error != CUDA_SUCCESS ? error : CUDA_ERROR_NOT_FOUND);
	if (base != NULL)
		*base = w.base;
	if (size != NULL)
		*size = w.size;
	return CUDA_SUCCESS;
}
VERSION2(cuMemGetAddressRange, (CUdeviceptr *, size_t *, CUdeviceptr))

// Attributes of pointers, by CUDA's numbers; those that are not known are 0.
static void attribute(const struct wire_pointer *w, CUdeviceptr p, int what, void *value) {
	enum { CONTEXT = 1, MEMORY_TYPE = 2, DEVICE_POINTER = 3, HOST_POINTER = 4, MANAGED = 8, ORDINAL = 9, RANGE_START = 11, RANGE_SIZE = 12, MAPPED = 13 };
	enum { TYPE_HOST = 1, TYPE_DEVICE = 2 };
	switch (what) {
	case CONTEXT: *(CUcontext *)value = wire_primary(w->device); break;
	case ORDINAL: *(int *)value = (int)w->device; break;
	case MEMORY_TYPE: *(unsigned *)value = w->host_visible ? TYPE_HOST : TYPE_DEVICE; break;
	case DEVICE_POINTER: *(CUdeviceptr *)value = p; break;
	case HOST_POINTER: *(void **)value = w->host_visible ? (void *)p : NULL; break;
	case MANAGED: *(unsigned *)value = w->host_visible; break;
	case RANGE_START: *(CUdeviceptr *)value = w->base; break;
	case RANGE_SIZE: *(size_t *)value = w->size; break;
	case MAPPED: *(char *)value = 1; break;
	default: *(int *)value = 0;
	}
}

EXPORT CUresult cuPointerGetAttribute(void *value, int what, CUdeviceptr p) {
	struct wire_pointer w;
	CUresult error = wire_pointer(p, &w);
	if (error != CUDA_SUCCESS || w.known != WIRE_MEMORY)
		return failed(error != CUDA_SUCCESS ? error : CUDA_ERROR_INVALID_VALUE);
	attribute(&w, p, what, value);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuPointerGetAttributes(unsigned count, int *what, void **values, CUdeviceptr p) {
	struct wire_pointer w;
	CUresult error = wire_pointer(p, &w);
	for (unsigned i = 0; i < count && error == CUDA_SUCCESS; i++)
		attribute(&w, p, what[i], values[i]);
	return failed(error);
}

CUresult copy_any(CUdeviceptr to, CUdeviceptr from, size_t size) {
	struct wire_pointer t, f;
	CUresult error = wire_pointer(to, &t);
	if (error == CUDA_SUCCESS)
		error = wire_pointer(from, &f);
	if (error != CUDA_SUCCESS)
		return error;
	if (t.known && f.known)
		return wire_copy(to, from, size);
	if (t.known)
		return wire_write(to, (const void *)from, size);
	if (f.known)
		return wire_read((void *)to, from, size);
	if ((to == 0 || from == 0) && size > 0)
		return CUDA_ERROR_INVALID_VALUE;
	memmove((void *)to, (const void *)from, size);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) { return failed(copy_any(to, from, size)); }
IN_THREAD(CUresult, cuMemcpy, cuMemcpy_ptds, (CUdeviceptr, CUdeviceptr, size_t))

EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
	if (recording(stream) != NULL)
		return failed(captured(stream, record_bytes(recording(stream), to, from, size)));
	return failed(IN(stream_id(stream), copy_any(to, from, size)));
}
PTSZ(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream))

// Each copy comes in four names: of both versions, with per-thread streams, and asynchronous.
#define COPY(name, to_type, from_type, call)                                                                            \
	EXPORT CUresult name(to_type to, from_type from, size_t size) { return failed(call); }                              \
	VERSION2(name, (to_type, from_type, size_t))                                                                        \
	IN_THREAD(CUresult, name, name##_v2_ptds, (to_type, from_type, size_t))                                             \
	EXPORT CUresult name##Async(to_type to, from_type from, size_t size, CUstream stream) {                             \
		if (recording(stream) != NULL)                                                                                  \
			return failed(captured(stream, record_bytes(recording(stream), (CUdeviceptr)to, (CUdeviceptr)from, size))); \
		return failed(IN(stream_id(stream), call));                                                                     \
	}                                                                                                                   \
	SAME_AS(name##Async) CUresult name##Async_v2(to_type, from_type, size_t, CUstream);                                 \
	IN_THREAD(CUresult, name##Async, name##Async_v2_ptsz, (to_type, from_type, size_t, CUstream))

COPY(cuMemcpyHtoD, CUdeviceptr, const void *, wire_write(to, from, size))
COPY(cuMemcpyDtoH, void *, CUdeviceptr, wire_read(to, from, size))
COPY(cuMemcpyDtoD, CUdeviceptr, CUdeviceptr, wire_copy(to, from, size))

EXPORT CUresult cuMemcpyPeer(CUdeviceptr to, void *to_context, CUdeviceptr from, void *from_context, size_t size) {
	(void)to_context, (void)from_context; // addresses say of which devices the memory is
	return failed(ACROSS(wire_copy(to, from, size)));
}
IN_THREAD(CUresult, cuMemcpyPeer, cuMemcpyPeer_ptds, (CUdeviceptr, void *, CUdeviceptr, void *, size_t))

EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, void *to_context, CUdeviceptr from, void *from_context, size_t size, CUstream stream) {
	(void)to_context, (void)from_context;
	return cuMemcpyAsync(to, from, size, stream);
}
PTSZ(cuMemcpyPeerAsync, (CUdeviceptr, void *, CUdeviceptr, void *, size_t, CUstream))

// Fills of elements of 1, 2 and 4 bytes, in a row or a rectangle.
#define FILL(bits, type)                                                                                                                       \
	EXPORT CUresult cuMemsetD##bits(CUdeviceptr to, type value, size_t n) {                                                                    \
		return failed(n == 0 ? wire_ready() : wire_fill(to, 0, bits / 8, value, n, 1));                                                        \
	}                                                                                                                                          \
	VERSION2(cuMemsetD##bits, (CUdeviceptr, type, size_t))                                                                                     \
	IN_THREAD(CUresult, cuMemsetD##bits, cuMemsetD##bits##_v2_ptds, (CUdeviceptr, type, size_t))                                               \
	EXPORT CUresult cuMemsetD##bits##Async(CUdeviceptr to, type value, size_t n, CUstream stream) {                                            \
		if (recording(stream) != NULL)                                                                                                         \
			return failed(captured(stream, record_fill(recording(stream), &(struct memset_node){to, 0, value, bits / 8, n, 1})));              \
		return failed(n == 0 ? wire_ready() : IN(stream_id(stream), wire_fill(to, 0, bits / 8, value, n, 1)));                                 \
	}                                                                                                                                          \
	PTSZ(cuMemsetD##bits##Async, (CUdeviceptr, type, size_t, CUstream))                                                                        \
	EXPORT CUresult cuMemsetD2D##bits(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) {                                 \
		return failed(wire_fill(to, pitch, bits / 8, value, width, height));                                                                   \
	}                                                                                                                                          \
	VERSION2(cuMemsetD2D##bits, (CUdeviceptr, size_t, type, size_t, size_t))                                                                   \
	IN_THREAD(CUresult, cuMemsetD2D##bits, cuMemsetD2D##bits##_v2_ptds, (CUdeviceptr, size_t, type, size_t, size_t))                           \
	EXPORT CUresult cuMemsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height, CUstream stream) {         \
		if (recording(stream) != NULL)                                                                                                         \
			return failed(captured(stream, record_fill(recording(stream), &(struct memset_node){to, pitch, value, bits / 8, width, height}))); \
		return failed(IN(stream_id(stream), wire_fill(to, pitch, bits / 8, value, width, height)));                                            \
	}                                                                                                                                          \
	PTSZ(cuMemsetD2D##bits##Async, (CUdeviceptr, size_t, type, size_t, size_t, CUstream))

FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

// The place of managed memory makes no difference here: all devices access it. In later versions, a location takes the place of
// the number of a device.
EXPORT CUresult cuMemAdvise_v2(CUdeviceptr p, size_t size, int advice, struct wire_pool_location location) {
	(void)p, (void)size, (void)advice;
	return failed(wire_place(location));
}

EXPORT CUresult cuMemAdvise(CUdeviceptr p, size_t size, int advice, CUdevice device) {
	return cuMemAdvise_v2(p, size, advice, wire_place_of(device));
}

EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr p, size_t size, struct wire_pool_location location, unsigned flags, CUstream stream) {
	(void)p, (void)size, (void)flags, (void)stream;
	return failed(wire_place(location));
}

EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr p, size_t size, CUdevice device, CUstream stream) {
	return cuMemPrefetchAsync_v2(p, size, wire_place_of(device), 0, stream);
}
PTSZ(cuMemPrefetchAsync, (CUdeviceptr, size_t, CUdevice, CUstream))
PTSZ(cuMemPrefetchAsync_v2, (CUdeviceptr, size_t, struct wire_pool_location, unsigned, CUstream))

// Several copies in one call, of attributes that say when the source is read and where the memory is.
EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, CUstream stream) {
	(void)attributes, (void)indices, (void)nattributes;
	CUresult error = CUDA_SUCCESS;
	for (size_t i = 0; i < count && error == CUDA_SUCCESS; i++)
		error = cuMemcpyAsync(to[i], from[i], sizes[i], stream);
	return failed(error);
}
PTSZ(cuMemcpyBatchAsync_v2, (CUdeviceptr *, CUdeviceptr *, size_t *, size_t, void *, size_t *, size_t, CUstream))

EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, size_t *which, CUstream stream) {
	CUresult error = cuMemcpyBatchAsync_v2(to, from, sizes, count, attributes, indices, nattributes, stream);
	if (error != CUDA_SUCCESS && which != NULL)
		*which = SIZE_MAX; // no particular one
	return failed(error);
}
PTSZ(cuMemcpyBatchAsync, (CUdeviceptr *, CUdeviceptr *, size_t *, size_t, void *, size_t *, size_t, size_t *, CUstream))

EXPORT CUresult cuMemcpyWithAttributesAsync(CUdeviceptr to, CUdeviceptr from, size_t size, void *attributes, CUstream stream) {
	(void)attributes;
	return cuMemcpyAsync(to, from, size, stream);
}
PTSZ(cuMemcpyWithAttributesAsync, (CUdeviceptr, CUdeviceptr, size_t, void *, CUstream))
