// Execution contexts of the runtime API.
#include "cudart.h"

#define GREEN(name) cuda##name
#include "green.h"

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority);

EXPORT cudaError_t cudaDeviceGetDevResource(int device, struct dev_resource *r, int kind) { return failed(resource_of(device, r, kind)); }
EXPORT cudaError_t cudaExecutionCtxDestroy(struct green *g) { return failed(green_destroy(g)); }
EXPORT cudaError_t cudaExecutionCtxGetDevResource(struct green *g, struct dev_resource *r, int kind) { return failed(green_resource(g, r, kind)); }
EXPORT cudaError_t cudaExecutionCtxSynchronize(struct green *g) { return failed(green_synchronize(g)); }
EXPORT cudaError_t cudaExecutionCtxRecordEvent(struct green *g, cudaEvent_t e) { return failed(green_record(g, e, "cudaExecutionCtxRecordEvent of the whole device")); }
EXPORT cudaError_t cudaExecutionCtxWaitEvent(struct green *g, cudaEvent_t e) { return failed(green_wait(g, e, "cudaExecutionCtxWaitEvent of the whole device")); }

// cudaDeviceGetExecutionCtx gives the context with all of the device, which is one for each epoch.
EXPORT cudaError_t cudaDeviceGetExecutionCtx(struct green **out, int device) {
	static struct green *whole[WIRE_DEVICES];
	struct dev_resource all;
	cudaError_t error = resource_of(device, &all, RESOURCE_SM);
	if (error == cudaSuccess && !known(whole[device]))
		error = ON_DEVICE(device, new_green(&whole[device], &all, device, 1));
	if (error == cudaSuccess)
		*out = whole[device];
	return failed(error);
}

EXPORT cudaError_t cudaExecutionCtxGetDevice(int *device, struct green *g) {
	if (known(g))
		*device = (int)g->context.device;
	return failed(known(g) ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaExecutionCtxGetId(struct green *g, unsigned long long *id) {
	if (known(g))
		*id = g->id;
	return failed(known(g) ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaExecutionCtxStreamCreate(cudaStream_t *s, struct green *g, unsigned flags, int priority) {
	cudaError_t error = known(g) ? ON_DEVICE(g->context.device, cudaStreamCreateWithPriority(s, flags, priority)) : failed(cudaErrorInvalidValue);
	return error == cudaSuccess ? failed(green_joined(g, *s)) : error;
}

EXPORT cudaError_t cudaStreamGetDevResource(cudaStream_t s, struct dev_resource *r, int kind) {
	enum { PER_THREAD = 2 }; // handles up to it are the default streams
	struct green *g = (uintptr_t)s > PER_THREAD ? s->green : NULL;
	return failed(g != NULL ? green_resource(g, r, kind) : device_resource(r, kind));
}
PTSZ(cudaError_t, cudaStreamGetDevResource, (cudaStream_t, struct dev_resource *, int))
