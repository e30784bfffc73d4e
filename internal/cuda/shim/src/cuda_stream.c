// Streams and events of the driver API. Operations complete before the call returns, in every
// stream, so that a stream is a name, and an event a time; but for kernels that wait for the host.
#include "attribute_hints.h"
#include "cuda_graph.h"
#include "launch.h"

#include <stdlib.h>

EXPORT CUresult cuStreamCreateWithPriority(CUstream *s, unsigned flags, int priority) {
	CUresult error = wire_ready();
	if (error != CUDA_SUCCESS)
		return failed(error);
	*s = calloc(1, sizeof **s);
	if (*s == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	enum { NON_BLOCKING = 1 };
	(*s)->flags = flags, (*s)->priority = priority, (*s)->id = wire_number(), (*s)->epoch = wire_epoch();
	extern CUresult green_stream(CUcontext current, CUstream s);
	(*s)->context = wire_context();
	error = wire_order(ORDER_CREATE, (*s)->id, flags & NON_BLOCKING);
	if (error == CUDA_SUCCESS)
		error = green_stream((*s)->context, *s);
	return failed(error);
}

EXPORT CUresult cuStreamCreate(CUstream *s, unsigned flags) { return cuStreamCreateWithPriority(s, flags, 0); }

// usable is an error for a stream from before a reset.
static CUresult usable(CUstream s) { return stream_id(s) == WIRE_NO_STREAM ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; }

EXPORT CUresult cuStreamDestroy(CUstream s) {
	if (!stream_created(s))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	wire_order(ORDER_END, s->id, 0);
	stream_ends(s);
	free(s);
	return CUDA_SUCCESS;
}
VERSION2(cuStreamDestroy, (CUstream))

EXPORT CUresult cuStreamGetFlags(CUstream s, unsigned *flags) {
	*flags = stream_of(s) == NULL ? 0 : stream_of(s)->flags;
	return failed(usable(s));
}
PTSZ(cuStreamGetFlags, (CUstream, unsigned *))

EXPORT CUresult cuStreamGetPriority(CUstream s, int *priority) {
	*priority = stream_of(s) == NULL ? 0 : stream_of(s)->priority;
	return failed(usable(s));
}
PTSZ(cuStreamGetPriority, (CUstream, int *))

EXPORT CUresult cuStreamGetCtx(CUstream s, CUcontext *c) {
	*c = stream_of(s) == NULL || stream_of(s)->context == NULL ? wire_context() : stream_of(s)->context;
	return failed(usable(s));
}
PTSZ(cuStreamGetCtx, (CUstream, CUcontext *))

EXPORT CUresult cuStreamGetCtx_v2(CUstream s, CUcontext *c, void **green) {
	if (green != NULL)
		*green = stream_of(s) == NULL ? NULL : stream_of(s)->green;
	return cuStreamGetCtx(s, c);
}
PTSZ(cuStreamGetCtx_v2, (CUstream, CUcontext *, void **))

EXPORT CUresult cuStreamGetDevice(CUstream s, CUdevice *device) {
	*device = (CUdevice)device_of_stream(s);
	return failed(usable(s));
}
PTSZ(cuStreamGetDevice, (CUstream, CUdevice *))

EXPORT CUresult cuStreamGetId(CUstream s, unsigned long long *id) {
	*id = stream_id(s);
	return failed(usable(s));
}
PTSZ(cuStreamGetId, (CUstream, unsigned long long *))

EXPORT CUresult cuStreamSynchronize(CUstream s) {
	return failed(wire_order(ORDER_STREAM, stream_id(s), 0));
}
PTSZ(cuStreamSynchronize, (CUstream))

EXPORT CUresult cuStreamQuery(CUstream s) {
	return failed(wire_order(ORDER_STREAM_DONE, stream_id(s), 0));
}
PTSZ(cuStreamQuery, (CUstream))

EXPORT CUresult cuStreamWaitEvent(CUstream s, CUevent e, unsigned flags) {
	enum { EXTERNAL = 1 }; // in a capture: launches wait for it
	if (flags & EXTERNAL && recording(s) != NULL && LIVE(e))
		return failed(captured(s, record_event(recording(s), NODE_WAIT, e)));
	if (LIVE(e) && usable(s) == CUDA_SUCCESS && wait_captured(s, e))
		return CUDA_SUCCESS;
	return failed(!LIVE(e) ? CUDA_ERROR_INVALID_HANDLE : wire_order(ORDER_WAIT, stream_id(s), e->id));
}
PTSZ(cuStreamWaitEvent, (CUstream, CUevent, unsigned))

EXPORT CUresult cuStreamAttachMemAsync(CUstream s, CUdeviceptr p, size_t size, unsigned flags) {
	(void)s, (void)p, (void)size, (void)flags;
	return failed(wire_ready());
}
PTSZ(cuStreamAttachMemAsync, (CUstream, CUdeviceptr, size_t, unsigned))

// A callback has parameters that host functions do not have.
struct callback {
	CUstream stream;
	void (*function)(CUstream, CUresult, void *);
	void *data;
};

static void call_back(void *data) {
	struct callback c = *(struct callback *)data;
	free(data);
	c.function(c.stream, CUDA_SUCCESS, c.data);
}

EXPORT CUresult cuStreamAddCallback(CUstream s, void (*function)(CUstream, CUresult, void *), void *data, unsigned flags) {
	(void)flags;
	struct callback *c = calloc(1, sizeof *c);
	if (c == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	*c = (struct callback){s, function, data};
	CUresult error = wire_host_function(stream_id(s), call_back, c);
	if (error != CUDA_SUCCESS)
		free(c);
	return failed(error);
}
PTSZ(cuStreamAddCallback, (CUstream, void (*)(CUstream, CUresult, void *), void *, unsigned))

EXPORT CUresult cuLaunchHostFunc(CUstream s, void (*function)(void *), void *data) {
	if (recording(s) != NULL)
		return failed(captured(s, record_host(recording(s), function, data)));
	return failed(wire_host_function(stream_id(s), function, data));
}
PTSZ(cuLaunchHostFunc, (CUstream, void (*)(void *), void *))

EXPORT CUresult cuLaunchHostFunc_v2(CUstream s, void (*function)(void *), void *data, unsigned mode) {
	(void)mode; // how the device waits for it
	return cuLaunchHostFunc(s, function, data);
}
PTSZ(cuLaunchHostFunc_v2, (CUstream, void (*)(void *), void *, unsigned))

EXPORT CUresult cuEventCreate(CUevent *e, unsigned flags) {
	(void)flags;
	CUresult error = wire_ready();
	if (error != CUDA_SUCCESS)
		return failed(error);
	*e = calloc(1, sizeof **e);
	if (*e == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	(*e)->id = wire_number(), (*e)->epoch = wire_epoch();
	return CUDA_SUCCESS;
}

EXPORT CUresult cuEventDestroy(CUevent e) {
	if (!LIVE(e))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	wire_order(ORDER_END_EVENT, 0, e->id);
	free(e->tail.nodes), free(e->tail.edges);
	free(e);
	return CUDA_SUCCESS;
}
VERSION2(cuEventDestroy, (CUevent))

static CUresult record(CUevent e, CUstream s, enum wire_order what) {
	CUresult error = event_usable(e, s);
	if (error != CUDA_SUCCESS)
		return failed(error);
	e->recorded = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->when);
	return failed(event_captured(e, s, what) ? CUDA_SUCCESS : wire_order(what, stream_id(s), e->id));
}

CUresult launch_events(const struct launch_order *o, CUstream s) {
	CUresult error = o->let == NULL ? CUDA_SUCCESS : record(o->let, s, o->at_start ? ORDER_RECORD_STARTED : ORDER_RECORD_LET);
	return error != CUDA_SUCCESS || o->begun == NULL ? error : record(o->begun, s, ORDER_RECORD_BEGUN);
}

EXPORT CUresult cuEventRecord(CUevent e, CUstream s) { return record(e, s, ORDER_RECORD); }
PTSZ(cuEventRecord, (CUevent, CUstream))

EXPORT CUresult cuEventRecordWithFlags(CUevent e, CUstream s, unsigned flags) {
	enum { EXTERNAL = 1 }; // in a capture: launches record it
	if (flags & EXTERNAL && recording(s) != NULL && LIVE(e))
		return failed(captured(s, record_event(recording(s), NODE_RECORD, e)));
	return cuEventRecord(e, s);
}
PTSZ(cuEventRecordWithFlags, (CUevent, CUstream, unsigned))

EXPORT CUresult cuEventSynchronize(CUevent e) { return failed(!LIVE(e) ? CUDA_ERROR_INVALID_HANDLE : wire_order(ORDER_EVENT, 0, e->id)); }
EXPORT CUresult cuEventQuery(CUevent e) { return failed(!LIVE(e) ? CUDA_ERROR_INVALID_HANDLE : wire_order(ORDER_EVENT_DONE, 0, e->id)); }

EXPORT CUresult cuEventElapsedTime(float *ms, CUevent from, CUevent to) { return failed(event_elapsed(ms, from, to)); }
SAME_AS(cuEventElapsedTime) CUresult cuEventElapsedTime_v2(float *, CUevent, CUevent);

EXPORT CUresult cuStreamSetAttribute(CUstream s, int what, const void *value) {
	(void)s;
	return failed(attribute_hint(what, value, LIBRARY, "cuStreamSetAttribute"));
}
PTSZ(cuStreamSetAttribute, (CUstream, int, const void *))

EXPORT CUresult cuStreamGetAttribute(CUstream s, int what, void *value) {
	(void)s, (void)what;
	return failed(no_attribute(value));
}
PTSZ(cuStreamGetAttribute, (CUstream, int, void *))

EXPORT CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
	(void)to, (void)from;
	return failed(wire_ready());
}
PTSZ(cuStreamCopyAttributes, (CUstream, CUstream))

EXPORT CUresult cuCtxResetPersistingL2Cache(void) { return failed(wire_ready()); }
