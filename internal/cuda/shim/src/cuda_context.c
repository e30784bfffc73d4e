// Contexts of the driver API: the current one of a thread names its device. Those of a device share what it has.
#include "cuda.h"

#include <stdlib.h>

static int others[WIRE_DEVICES]; // contexts that there are besides the primary ones

EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *c, CUdevice device) {
	CUresult error = wire_exists(device);
	if (error != CUDA_SUCCESS)
		return failed(error);
	*c = wire_primary(device);
	(*c)->active = 1;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return failed(wire_exists(device)); }
VERSION2(cuDevicePrimaryCtxRelease, (CUdevice))

// Nothing is released while the device has other contexts.
EXPORT CUresult cuDevicePrimaryCtxReset(CUdevice device) {
	CUresult error = wire_exists(device);
	if (error != CUDA_SUCCESS)
		return failed(error);
	wire_primary(device)->active = 0;
	return failed(__atomic_load_n(&others[device], __ATOMIC_RELAXED) > 0 ? CUDA_SUCCESS : ON_DEVICE(device, wire_reset()));
}
VERSION2(cuDevicePrimaryCtxReset, (CUdevice))

EXPORT CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
	CUresult error = wire_exists(device);
	if (error == CUDA_SUCCESS)
		wire_primary(device)->flags = flags;
	return failed(error);
}
VERSION2(cuDevicePrimaryCtxSetFlags, (CUdevice, unsigned))

EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
	CUresult error = wire_exists(device);
	if (error == CUDA_SUCCESS)
		*flags = wire_primary(device)->flags, *active = wire_primary(device)->active;
	return failed(error);
}

EXPORT CUresult cuCtxCreate(CUcontext *c, unsigned flags, CUdevice device) {
	CUresult error = wire_exists(device);
	if (error != CUDA_SUCCESS)
		return failed(error);
	*c = calloc(1, sizeof **c);
	if (*c == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	(*c)->flags = flags, (*c)->device = device;
	__atomic_add_fetch(&others[device], 1, __ATOMIC_RELAXED);
	return failed(wire_context_push(*c));
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
	wire_context_drop(c);
	if (c != wire_primary(c->device)) {
		__atomic_sub_fetch(&others[c->device], 1, __ATOMIC_RELAXED);
		free(c);
	}
	return CUDA_SUCCESS;
}
VERSION2(cuCtxDestroy, (CUcontext))

EXPORT CUresult cuCtxPushCurrent(CUcontext c) { return failed(wire_context_push(c)); }
VERSION2(cuCtxPushCurrent, (CUcontext))

EXPORT CUresult cuCtxPopCurrent(CUcontext *c) {
	CUcontext popped = wire_context_pop();
	if (popped != NULL && c != NULL)
		*c = popped;
	return failed(popped == NULL ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS);
}
VERSION2(cuCtxPopCurrent, (CUcontext *))

EXPORT CUresult cuCtxSetCurrent(CUcontext c) { return failed(wire_context_set(c)); }

EXPORT CUresult cuCtxGetCurrent(CUcontext *c) {
	*c = wire_context();
	return failed(wire_ready());
}

EXPORT CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext c) {
	c = c != NULL ? c : wire_context();
	*device = c == NULL ? 0 : (CUdevice)c->device;
	return failed(c != NULL ? wire_ready() : CUDA_ERROR_INVALID_CONTEXT);
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device) { return cuCtxGetDevice_v2(device, NULL); }

EXPORT CUresult cuCtxGetFlags(unsigned *flags) {
	*flags = wire_context() != NULL ? wire_context()->flags : 0;
	return failed(wire_ready());
}

EXPORT CUresult cuCtxSetFlags(unsigned flags) {
	if (wire_context() != NULL)
		wire_context()->flags = flags;
	return failed(wire_context() != NULL ? wire_ready() : CUDA_ERROR_INVALID_CONTEXT);
}

EXPORT CUresult cuCtxGetId(CUcontext c, uint64_t *id) {
	*id = (uintptr_t)(c != NULL ? c : wire_context());
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

static uint32_t device_of(CUcontext c) { return c != NULL ? c->device : wire_current_device(); }

EXPORT CUresult cuCtxSynchronize(void) { return failed(wire_order(ORDER_DEVICE, 0, 0)); }

EXPORT CUresult cuCtxSynchronize_v2(CUcontext c) {
	return failed(ON_DEVICE(device_of(c), wire_order(ORDER_DEVICE, 0, 0)));
}

// Access of the current context's device to memory of another one.
EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
	return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_peer(PEER_ENABLE, device_of(peer), 0));
}

EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) { return failed(wire_peer(PEER_DISABLE, device_of(peer), 0)); }

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
