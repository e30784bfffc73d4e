// Memory that the application allocates, which detectors must know of, and contexts that end.
#include "attached.h"

// tell says that memory is there, or with a size of 0 that it is not any more.
static void tell(CUdeviceptr p, size_t size) {
	uint64_t words[] = {attached_context(), p, size};
	struct wire_part part = {words, size > 0 ? sizeof words : sizeof words - sizeof *words};
	if (p != 0 && words[0] != 0 && attached_outside())
		attached_call(size > 0 ? REQ_ALLOC : REQ_FREE, &part, 1, NULL, NULL, 0);
}

static CUresult allocated(CUresult error, const CUdeviceptr *p, size_t size) {
	if (error == CUDA_SUCCESS && p != NULL && size > 0)
		tell(*p, size);
	return error;
}

// ALLOC defines a function that allocates size bytes and puts their address where its first parameter
// points.
#define ALLOC(name, params, args)        \
	EXPORT CUresult name params;               \
	CUresult name params {                     \
		CUresult error = INSIDE(REAL(name) args);      \
		return allocated(error, (const CUdeviceptr *)p, size); \
	}
ALLOC(cuMemAlloc_v2, (CUdeviceptr * p, size_t size), (p, size))
ALLOC(cuMemAllocManaged, (CUdeviceptr * p, size_t size, unsigned flags), (p, size, flags))
ALLOC(cuMemAllocHost_v2, (void **p, size_t size), (p, size))
ALLOC(cuMemHostAlloc, (void **p, size_t size, unsigned flags), (p, size, flags))
ALLOC(cuMemAllocAsync, (CUdeviceptr * p, size_t size, CUstream s), (p, size, s))
ALLOC(cuMemAllocAsync_ptsz, (CUdeviceptr * p, size_t size, CUstream s), (p, size, s))
ALLOC(cuMemAllocFromPoolAsync, (CUdeviceptr * p, size_t size, void *pool, CUstream s), (p, size, pool, s))
ALLOC(cuMemAllocFromPoolAsync_ptsz, (CUdeviceptr * p, size_t size, void *pool, CUstream s), (p, size, pool, s))

EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element);
CUresult cuMemAllocPitch_v2(CUdeviceptr *p, size_t *pitch, size_t width, size_t height, unsigned element) {
	CUresult error = INSIDE(REAL(cuMemAllocPitch_v2)(p, pitch, width, height, element));
	return allocated(error, p, error == CUDA_SUCCESS ? *pitch * height : 0);
}

// FREE defines a function that frees memory. Another thread may have it again when it is free: it is told before.
#define FREE(name, params, args)      \
	EXPORT CUresult name params;      \
	CUresult name params {            \
		tell((CUdeviceptr)p, 0);      \
		return INSIDE(REAL(name) args);       \
	}
FREE(cuMemFree_v2, (CUdeviceptr p), (p))
FREE(cuMemFreeHost, (void *p), (p))
FREE(cuMemFreeAsync, (CUdeviceptr p, CUstream s), (p, s))
FREE(cuMemFreeAsync_ptsz, (CUdeviceptr p, CUstream s), (p, s))

#define DESTROY(name)                                  \
	EXPORT CUresult name(CUcontext c);                 \
	CUresult name(CUcontext c) {                       \
		if (attached_outside() && c != NULL)           \
			attached_gone((uintptr_t)c);               \
		return INSIDE(REAL(name)(c));                          \
	}
DESTROY(cuCtxDestroy)
DESTROY(cuCtxDestroy_v2)

// The primary contexts by device.
enum { DEVICES = 64 };
static CUcontext primary[DEVICES];

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d);
CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice d) {
	CUresult error = INSIDE(REAL(cuDevicePrimaryCtxRetain)(c, d));
	if (error == CUDA_SUCCESS && d >= 0 && d < DEVICES)
		primary[d] = *c;
	return error;
}

// ended tells of a primary context that does not exist any more.
static CUresult ended(CUresult error, CUdevice d) {
	unsigned flags;
	int active = 1;
	if (error == CUDA_SUCCESS && attached_outside() && d >= 0 && d < DEVICES && primary[d] != NULL &&
		REAL(cuDevicePrimaryCtxGetState)(d, &flags, &active) == CUDA_SUCCESS && !active) {
		attached_gone((uintptr_t)primary[d]);
		primary[d] = NULL;
	}
	return error;
}

#define RELEASE(name)                                                                 \
	EXPORT CUresult name(CUdevice d);                                                 \
	CUresult name(CUdevice d) { return ended(INSIDE(REAL(name)(d)), d); }
RELEASE(cuDevicePrimaryCtxRelease)
RELEASE(cuDevicePrimaryCtxRelease_v2)

// A primary context that is reset loses its modules and memory, whether or not somebody retains it.
#define RESET(name)                                                                   \
	EXPORT CUresult name(CUdevice d);                                                 \
	CUresult name(CUdevice d) {                                                       \
		if (attached_outside() && d >= 0 && d < DEVICES && primary[d] != NULL)        \
			attached_gone((uintptr_t)primary[d]);                                     \
		return INSIDE(REAL(name)(d));                                                         \
	}
RESET(cuDevicePrimaryCtxReset)
RESET(cuDevicePrimaryCtxReset_v2)
