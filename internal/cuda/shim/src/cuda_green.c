// Green contexts of the driver API.
#include "cuda_graph.h"

#define GREEN(name) cu##name
#include "green.h"

CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority);

EXPORT CUresult cuDeviceGetDevResource(CUdevice device, struct dev_resource *r, int kind) { return failed(resource_of(device, r, kind)); }
EXPORT CUresult cuGreenCtxDestroy(struct green *g) { return failed(green_destroy(g)); }
EXPORT CUresult cuGreenCtxGetDevResource(struct green *g, struct dev_resource *r, int kind) { return failed(green_resource(g, r, kind)); }
EXPORT CUresult cuGreenCtxRecordEvent(struct green *g, CUevent e) { return failed(green_record(g, e, "cuGreenCtxRecordEvent")); }
EXPORT CUresult cuGreenCtxWaitEvent(struct green *g, CUevent e) { return failed(green_wait(g, e, "cuGreenCtxWaitEvent")); }

// A green context is one to make current, too: the streams that are created meanwhile are its own.
EXPORT CUresult cuCtxFromGreenCtx(CUcontext *c, struct green *g) {
	*c = (CUcontext)g;
	return failed(known(g) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult green_stream(CUcontext current, CUstream s) { return known((struct green *)current) ? green_joined((struct green *)current, s) : CUDA_SUCCESS; }

EXPORT CUresult cuCtxGetDevResource(CUcontext c, struct dev_resource *r, int kind) {
	struct green *g = (struct green *)c;
	return failed(known(g) ? green_resource(g, r, kind) : device_resource(r, kind));
}

// of_context is the green context that a context is; of others, the function is not supported.
static CUresult of_context(CUcontext c, CUresult (*call)(const struct green *, struct event *, const char *), CUevent e, const char *name) {
	return failed(known((struct green *)c) ? call((struct green *)c, e, name) : wire_missing(LIBRARY, name));
}
EXPORT CUresult cuCtxRecordEvent(CUcontext c, CUevent e) { return of_context(c, green_record, e, "cuCtxRecordEvent of a context that is not green"); }
EXPORT CUresult cuCtxWaitEvent(CUcontext c, CUevent e) { return of_context(c, green_wait, e, "cuCtxWaitEvent of a context that is not green"); }

EXPORT CUresult cuGreenCtxGetId(struct green *g, unsigned long long *id) {
	if (known(g))
		*id = g->id;
	return failed(known(g) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

EXPORT CUresult cuGreenCtxStreamCreate(CUstream *s, struct green *g, unsigned flags, int priority) {
	CUresult error = known(g) ? ON_DEVICE(g->context.device, cuStreamCreateWithPriority(s, flags, priority)) : failed(CUDA_ERROR_INVALID_VALUE);
	return error == CUDA_SUCCESS && (*s)->green != g ? failed(green_joined(g, *s)) : error;
}

EXPORT CUresult cuStreamGetGreenCtx(CUstream s, struct green **g) {
	*g = stream_of(s) == NULL ? NULL : stream_of(s)->green;
	return failed(stream_id(s) == WIRE_NO_STREAM ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
}
PTSZ(cuStreamGetGreenCtx, (CUstream, struct green **))

EXPORT CUresult cuStreamGetDevResource(CUstream s, struct dev_resource *r, int kind) {
	struct green *g = stream_of(s) == NULL ? NULL : stream_of(s)->green;
	return failed(g != NULL ? green_resource(g, r, kind) : device_resource(r, kind));
}
PTSZ(cuStreamGetDevResource, (CUstream, struct dev_resource *, int))
