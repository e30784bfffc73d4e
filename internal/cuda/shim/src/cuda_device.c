// Devices and contexts of the driver API: there is one device, and contexts are names for it.
#include "cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attributes.h"

static const struct {
	CUresult error;
	const char *name, *text;
} texts[] = {
#define ERROR(number, runtime, name, text) {number, name, text},
#include "errors.h"
#undef ERROR
};

enum { TEXTS = sizeof texts / sizeof *texts };

static int text_of(CUresult error) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].error == error && texts[i].name != NULL)
			return i;
	return -1;
}

CUresult failed(CUresult error) {
	int i = text_of(error);
	if (error != CUDA_SUCCESS)
		wire_failed(error, i < 0 ? "an unknown error" : texts[i].name, i < 0 ? "" : texts[i].text);
	return error;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
	int i = text_of(error);
	*name = i < 0 ? NULL : texts[i].name;
	return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
	int i = text_of(error);
	*text = i < 0 ? NULL : texts[i].text;
	return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuInit(unsigned flags) { return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_ready()); }

EXPORT CUresult cuDriverGetVersion(int *version) {
	int error;
	const struct wire_device *d = wire_device(&error);
	*version = d == NULL ? 0 : (int)d->version;
	return failed(error);
}

static CUresult chosen(CUdevice device) {
	int error;
	const struct wire_device *d = wire_device(&error);
	return d == NULL ? error : device >= 0 && (uint32_t)device < d->devices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
	*device = ordinal;
	return failed(chosen(ordinal));
}

EXPORT CUresult cuDeviceGetCount(int *count) {
	int error;
	const struct wire_device *d = wire_device(&error);
	*count = d == NULL ? 0 : (int)d->devices;
	return failed(error);
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
	int error = chosen(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		snprintf(name, size, "%s", d->name);
	return failed(error);
}

EXPORT CUresult cuDeviceGetUuid(char *uuid, CUdevice device) {
	memcpy(uuid, "ptxsan emulator", 16);
	return failed(chosen(device));
}
VERSION2(cuDeviceGetUuid, (char *, CUdevice))

EXPORT CUresult cuDeviceTotalMem(size_t *size, CUdevice device) {
	int error = chosen(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		*size = d->memory;
	return failed(error);
}
VERSION2(cuDeviceTotalMem, (size_t *, CUdevice))

EXPORT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
	int error = chosen(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		*major = d->major, *minor = d->minor;
	return failed(error);
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
	int error = chosen(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	return failed(d == NULL ? error : device_attribute(d, attribute, value));
}

EXPORT CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
	snprintf(id, size, "0000:00:00.0");
	return failed(chosen(device));
}

EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
	(void)id;
	*device = 0;
	return failed(wire_ready());
}

EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
	(void)device, (void)peer;
	*can = 0;
	return failed(wire_ready());
}

EXPORT CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer) {
	(void)value, (void)attribute, (void)device, (void)peer;
	return failed(CUDA_ERROR_INVALID_DEVICE);
}

// There is no other device that could be a peer.
EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
	(void)peer, (void)flags;
	return failed(CUDA_ERROR_INVALID_DEVICE);
}

EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) {
	(void)peer;
	return failed(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
}

// Contexts: a stack for each thread, and the primary one.
struct context {
	unsigned flags;
};
static struct context primary;
static int inactive; // the primary context has been reset, and not retained since
static int others;   // contexts that there are besides
enum { DEPTH = 64 };
static __thread CUcontext stack[DEPTH];
static __thread int depth;

static CUresult push(CUcontext c) {
	if (depth == DEPTH)
		return CUDA_ERROR_OUT_OF_MEMORY;
	stack[depth++] = c;
	return CUDA_SUCCESS;
}

// current is the context of the thread: where the runtime is used, the primary one at least.
static CUcontext current(void) { return depth > 0 ? stack[depth - 1] : wire_uses_primary() ? &primary : NULL; }

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device) {
	*c = &primary;
	inactive = 0;
	return failed(chosen(device));
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return failed(chosen(device)); }
VERSION2(cuDevicePrimaryCtxRelease, (CUdevice))

// The contexts share one memory, so that nothing is released while there are others.
EXPORT CUresult cuDevicePrimaryCtxReset(CUdevice device) {
	CUresult error = chosen(device);
	if (error != CUDA_SUCCESS)
		return failed(error);
	inactive = 1;
	return failed(__atomic_load_n(&others, __ATOMIC_RELAXED) > 0 ? CUDA_SUCCESS : wire_reset());
}
VERSION2(cuDevicePrimaryCtxReset, (CUdevice))

EXPORT CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
	primary.flags = flags;
	return failed(chosen(device));
}
VERSION2(cuDevicePrimaryCtxSetFlags, (CUdevice, unsigned))

EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
	*flags = primary.flags, *active = !inactive;
	return failed(chosen(device));
}

EXPORT CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice device) {
	CUresult error = chosen(device);
	if (error != CUDA_SUCCESS)
		return failed(error);
	*c = calloc(1, sizeof **c);
	if (*c == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	(*c)->flags = flags;
	__atomic_add_fetch(&others, 1, __ATOMIC_RELAXED);
	return failed(push(*c));
}
VERSION2(cuCtxCreate, (CUcontext *, unsigned, CUdevice))

EXPORT CUresult cuCtxCreate_v3(CUcontext *c, void *affinity, int count, unsigned flags, CUdevice device) {
	(void)affinity, (void)count;
	return cuCtxCreate(c, flags, device);
}

EXPORT CUresult cuCtxCreate_v4(CUcontext *c, void *parameters, unsigned flags, CUdevice device) {
	(void)parameters;
	return cuCtxCreate(c, flags, device);
}

EXPORT CUresult cuCtxDestroy(CUcontext c) {
	if (c == NULL)
		return failed(CUDA_ERROR_INVALID_CONTEXT);
	for (int i = 0; i < depth; i++)
		if (stack[i] == c)
			memmove(&stack[i], &stack[i + 1], (--depth - i) * sizeof *stack), i--;
	if (c != &primary) {
		__atomic_sub_fetch(&others, 1, __ATOMIC_RELAXED);
		free(c);
	}
	return CUDA_SUCCESS;
}
VERSION2(cuCtxDestroy, (CUcontext))

EXPORT CUresult cuCtxPushCurrent(CUcontext c) { return failed(push(c)); }
VERSION2(cuCtxPushCurrent, (CUcontext))

EXPORT CUresult cuCtxPopCurrent(CUcontext *c) {
	if (depth == 0)
		return failed(CUDA_ERROR_INVALID_CONTEXT);
	depth--;
	if (c != NULL)
		*c = stack[depth];
	return CUDA_SUCCESS;
}
VERSION2(cuCtxPopCurrent, (CUcontext *))

EXPORT CUresult cuCtxSetCurrent(CUcontext c) {
	if (depth > 0)
		depth--;
	return failed(c == NULL ? CUDA_SUCCESS : push(c));
}

EXPORT CUresult cuCtxGetCurrent(CUcontext *c) {
	*c = current();
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
	*device = 0;
	return failed(current() != NULL ? wire_ready() : CUDA_ERROR_INVALID_CONTEXT);
}

EXPORT CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext c) {
	(void)c;
	return cuCtxGetDevice(device);
}

EXPORT CUresult cuCtxGetFlags(unsigned *flags) {
	*flags = current() != NULL ? current()->flags : 0;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxSetFlags(unsigned flags) {
	if (current() != NULL)
		current()->flags = flags;
	return failed(current() != NULL ? wire_ready() : CUDA_ERROR_INVALID_CONTEXT);
}

EXPORT CUresult cuCtxGetId(CUcontext c, uint64_t *id) {
	*id = (uintptr_t)(c != NULL ? c : current());
	return failed(*id != 0 ? wire_ready() : CUDA_ERROR_INVALID_CONTEXT);
}

EXPORT CUresult cuCtxGetApiVersion(CUcontext c, unsigned *version) {
	(void)c;
	*version = 3020;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxAttach(CUcontext *c, unsigned flags) {
	(void)flags;
	return cuCtxGetCurrent(c);
}

EXPORT CUresult cuCtxDetach(CUcontext c) {
	(void)c;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuCtxSynchronize(void) { return failed(wire_order(ORDER_DEVICE, 0, 0)); }

EXPORT CUresult cuCtxSynchronize_v2(CUcontext c) {
	(void)c; // the contexts share the device
	return cuCtxSynchronize();
}

EXPORT CUresult cuCtxSetLimit(int limit, size_t value) {
	(void)limit, (void)value; // ptxsan's own limits hold
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetLimit(size_t *value, int limit) {
	enum { STACK, PRINTF, HEAP };
	*value = limit == STACK ? 1024 : limit == PRINTF ? 1 << 20 : limit == HEAP ? 8 << 20 : 0;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxSetCacheConfig(int config) {
	(void)config;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetCacheConfig(int *config) {
	*config = 0;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxSetSharedMemConfig(int config) {
	(void)config;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetSharedMemConfig(int *config) {
	*config = 1;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
	*least = *greatest = 0;
	return failed(wire_ready());
}

// The driver's log of what went wrong is empty: callbacks are never called.
EXPORT CUresult cuLogsRegisterCallback(void (*callback)(void), void *data, void **registered) {
	(void)data;
	if (callback == NULL || registered == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*registered = (void *)callback;
	return CUDA_SUCCESS;
}
EXPORT CUresult cuLogsUnregisterCallback(void *registered) { return failed(registered == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS); }
EXPORT CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
EXPORT CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
