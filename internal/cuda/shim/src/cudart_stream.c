// Streams and events of the runtime API. Operations complete before the call returns, in
// every stream, so that a stream is a name, and an event a time. A stream that captures
// records them in a graph instead.
#include "attribute_hints.h"
#include "capture.h"
#include "launch.h"
#include "cudart_graph.h"

#include <stdlib.h>

static cudaError_t make(cudaStream_t *s, unsigned flags, int priority) {
	cudaError_t error = wire_ready();
	if (error != cudaSuccess)
		return failed(error);
	*s = calloc(1, sizeof **s);
	if (*s == NULL)
		return failed(cudaErrorMemoryAllocation);
	enum { NON_BLOCKING = 1 };
	(*s)->flags = flags, (*s)->priority = priority, (*s)->id = wire_number(), (*s)->epoch = wire_epoch();
	(*s)->context = wire_context();
	wire_order(ORDER_CREATE, (*s)->id, flags & NON_BLOCKING);
	return cudaSuccess;
}

EXPORT cudaError_t cudaStreamCreate(cudaStream_t *s) { return make(s, 0, 0); }
EXPORT cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) { return make(s, flags, 0); }
EXPORT cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority) { return make(s, flags, priority); }

uint32_t stream_id(cudaStream_t s) { return number(s); }

uint32_t device_of_stream(cudaStream_t s) { return stream_device(s); }

struct graph *recording(cudaStream_t s) { return own_capture_of(s); }

struct tail *tail_of(cudaStream_t s) { return &own(s)->tail; }

// usable is an error for a stream from before a reset.
static cudaError_t usable(cudaStream_t s) { return failed(stream_id(s) == WIRE_NO_STREAM ? cudaErrorInvalidResourceHandle : cudaSuccess); }

EXPORT cudaError_t cudaStreamDestroy(cudaStream_t s) {
	if (!created(s))
		return failed(cudaErrorInvalidResourceHandle);
	leave_capture(s->capture, s);
	wire_order(ORDER_END, s->id, 0);
	clear_tail(&s->tail);
	free(s);
	return cudaSuccess;
}

EXPORT cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned *flags) {
	*flags = own(s) == NULL ? 0 : own(s)->flags;
	return usable(s);
}
PTSZ(cudaError_t, cudaStreamGetFlags, (cudaStream_t, unsigned *))

EXPORT cudaError_t cudaStreamGetPriority(cudaStream_t s, int *priority) {
	*priority = own(s) == NULL ? 0 : own(s)->priority;
	return usable(s);
}
PTSZ(cudaError_t, cudaStreamGetPriority, (cudaStream_t, int *))

EXPORT cudaError_t cudaStreamGetId(cudaStream_t s, unsigned long long *id) {
	*id = stream_id(s);
	return usable(s);
}
PTSZ(cudaError_t, cudaStreamGetId, (cudaStream_t, unsigned long long *))

EXPORT cudaError_t cudaStreamGetDevice(cudaStream_t s, int *device) {
	*device = (int)stream_device(s);
	return usable(s);
}
PTSZ(cudaError_t, cudaStreamGetDevice, (cudaStream_t, int *))

EXPORT cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
	*least = *greatest = 0;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t s) {
	return failed(wire_order(ORDER_STREAM, stream_id(s), 0));
}
PTSZ(cudaError_t, cudaStreamSynchronize, (cudaStream_t))

EXPORT cudaError_t cudaStreamQuery(cudaStream_t s) {
	return failed(wire_order(ORDER_STREAM_DONE, stream_id(s), 0));
}
PTSZ(cudaError_t, cudaStreamQuery, (cudaStream_t))

EXPORT cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags) {
	enum { EXTERNAL = 1 }; // in a capture: launches wait for it
	if (flags & EXTERNAL && recording(s) != NULL)
		return failed(captured(s, record_event(recording(s), NODE_WAIT, e)));
	if (e != NULL && !LIVE(e))
		return failed(cudaErrorInvalidResourceHandle);
	if (e != NULL && stream_id(s) != WIRE_NO_STREAM && capture_wait(own(s), e))
		return cudaSuccess;
	return failed(e == NULL ? wire_ready() : wire_order(ORDER_WAIT, stream_id(s), e->id));
}
PTSZ(cudaError_t, cudaStreamWaitEvent, (cudaStream_t, cudaEvent_t, unsigned))

EXPORT cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t size, unsigned flags) {
	(void)s, (void)p, (void)size, (void)flags;
	return failed(wire_ready());
}
PTSZ(cudaError_t, cudaStreamAttachMemAsync, (cudaStream_t, void *, size_t, unsigned))

enum { CAPTURE_NONE, CAPTURE_ACTIVE };

EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t s, int *status) {
	*status = capture_of(s) != NULL ? CAPTURE_ACTIVE : CAPTURE_NONE;
	return usable(s) != cudaSuccess ? cudaErrorInvalidResourceHandle : failed(wire_ready());
}
PTSZ(cudaError_t, cudaStreamIsCapturing, (cudaStream_t, int *))

// The graph that a stream captures into, and what its next node comes after. Of a stream that does not capture, only the status is
// said.
EXPORT cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t s, int *status, unsigned long long *id, struct graph **g, struct node *const **nodes, const struct edge **edges, size_t *count) {
	return failed(capture_info(s, status, (uint64_t *)id, g, nodes, edges, count));
}
PTSZ(cudaError_t, cudaStreamGetCaptureInfo_v3, (cudaStream_t, int *, unsigned long long *, struct graph **, struct node *const **, const struct edge **, size_t *))

EXPORT cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t s, int *status, unsigned long long *id, struct graph **g, struct node *const **nodes, size_t *count) {
	return cudaStreamGetCaptureInfo_v3(s, status, id, g, nodes, NULL, count);
}
PTSZ(cudaError_t, cudaStreamGetCaptureInfo_v2, (cudaStream_t, int *, unsigned long long *, struct graph **, struct node *const **, size_t *))

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t s, struct node *const *nodes, const struct edge *edges, size_t count, unsigned flags) {
	return failed(capture_depends(s, nodes, edges, count, flags));
}
PTSZ(cudaError_t, cudaStreamUpdateCaptureDependencies_v2, (cudaStream_t, struct node *const *, const struct edge *, size_t, unsigned))

EXPORT cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, struct graph *g, struct node *const *nodes, const struct edge *edges, size_t count, int mode) {
	(void)mode;
	return failed(capture_to(s, g, nodes, edges, count));
}
PTSZ(cudaError_t, cudaStreamBeginCaptureToGraph, (cudaStream_t, struct graph *, struct node *const *, const struct edge *, size_t, int))

EXPORT cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) { return failed(exchange_mode(mode)); }

#if CUDA_MAJOR >= 13
EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id, struct graph **g, struct node *const **nodes, const struct edge **edges, size_t *count) {
	return cudaStreamGetCaptureInfo_v3(s, status, id, g, nodes, edges, count);
}
PTSZ(cudaError_t, cudaStreamGetCaptureInfo, (cudaStream_t, int *, unsigned long long *, struct graph **, struct node *const **, const struct edge **, size_t *))

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, struct node *const *nodes, const struct edge *edges, size_t count, unsigned flags) {
	return cudaStreamUpdateCaptureDependencies_v2(s, nodes, edges, count, flags);
}
PTSZ(cudaError_t, cudaStreamUpdateCaptureDependencies, (cudaStream_t, struct node *const *, const struct edge *, size_t, unsigned))
#else
EXPORT cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, int *status, unsigned long long *id) {
	return cudaStreamGetCaptureInfo_v3(s, status, id, NULL, NULL, NULL, NULL);
}
PTSZ(cudaError_t, cudaStreamGetCaptureInfo, (cudaStream_t, int *, unsigned long long *))

EXPORT cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, struct node *const *nodes, size_t count, unsigned flags) {
	return cudaStreamUpdateCaptureDependencies_v2(s, nodes, NULL, count, flags);
}
PTSZ(cudaError_t, cudaStreamUpdateCaptureDependencies, (cudaStream_t, struct node *const *, size_t, unsigned))
#endif

EXPORT cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode) {
	(void)mode;
	if (!LIVE(own(s)) || capture_of(s) != NULL)
		return failed(cudaErrorStreamCaptureUnsupported);
	extern cudaError_t cudaGraphCreate(struct graph **, unsigned);
	struct graph *g;
	cudaError_t error = cudaGraphCreate(&g, 0);
	if (error == cudaSuccess)
		join_capture(own(s), g);
	return error;
}
PTSZ(cudaError_t, cudaStreamBeginCapture, (cudaStream_t, int))

// A program that captured into a graph of its own may pass no place for the graph.
EXPORT cudaError_t cudaStreamEndCapture(cudaStream_t s, struct graph **g) {
	struct graph *captured = recording(s);
	if (captured == NULL)
		return failed(cudaErrorInvalidValue);
	if (g != NULL)
		*g = captured;
	leave_capture(captured, NULL);
	return cudaSuccess;
}
PTSZ(cudaError_t, cudaStreamEndCapture, (cudaStream_t, struct graph **))

// A callback has parameters that host functions do not have.
struct callback {
	cudaStream_t stream;
	void (*function)(cudaStream_t, cudaError_t, void *);
	void *data;
};

static void call_back(void *data) {
	struct callback c = *(struct callback *)data;
	free(data);
	c.function(c.stream, cudaSuccess, c.data);
}

EXPORT cudaError_t cudaStreamAddCallback(cudaStream_t s, void (*function)(cudaStream_t, cudaError_t, void *), void *data, unsigned flags) {
	(void)flags;
	struct callback *c = calloc(1, sizeof *c);
	if (c == NULL)
		return failed(cudaErrorMemoryAllocation);
	*c = (struct callback){s, function, data};
	cudaError_t error = wire_host_function(stream_id(s), call_back, c);
	if (error != cudaSuccess)
		free(c);
	return failed(error);
}
PTSZ(cudaError_t, cudaStreamAddCallback, (cudaStream_t, void (*)(cudaStream_t, cudaError_t, void *), void *, unsigned))

EXPORT cudaError_t cudaLaunchHostFunc(cudaStream_t s, void (*function)(void *), void *data) {
	struct graph *g = recording(s);
	if (g != NULL)
		return failed(captured(s, record_host(g, function, data)));
	return failed(wire_host_function(stream_id(s), function, data));
}
PTSZ(cudaError_t, cudaLaunchHostFunc, (cudaStream_t, void (*)(void *), void *))

EXPORT cudaError_t cudaLaunchHostFunc_v2(cudaStream_t s, void (*function)(void *), void *data, unsigned mode) {
	(void)mode; // how the device waits for it
	return cudaLaunchHostFunc(s, function, data);
}
PTSZ(cudaError_t, cudaLaunchHostFunc_v2, (cudaStream_t, void (*)(void *), void *, unsigned))

EXPORT cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags) {
	(void)flags;
	cudaError_t error = wire_ready();
	if (error != cudaSuccess)
		return failed(error);
	*e = calloc(1, sizeof **e);
	if (*e == NULL)
		return failed(cudaErrorMemoryAllocation);
	(*e)->id = wire_number(), (*e)->epoch = wire_epoch();
	return cudaSuccess;
}

EXPORT cudaError_t cudaEventCreate(cudaEvent_t *e) { return cudaEventCreateWithFlags(e, 0); }

EXPORT cudaError_t cudaEventDestroy(cudaEvent_t e) {
	if (!LIVE(e))
		return failed(cudaErrorInvalidResourceHandle);
	wire_order(ORDER_END_EVENT, 0, e->id);
	clear_tail(&e->tail);
	free(e);
	return cudaSuccess;
}

static cudaError_t record(cudaEvent_t e, cudaStream_t s, enum wire_order what) {
	cudaError_t error = can_record(e, s);
	if (error != cudaSuccess)
		return failed(error);
	e->recorded = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->when);
	return capture_event(e, own(s), what) ? cudaSuccess : failed(wire_order(what, stream_id(s), e->id));
}

cudaError_t launch_events(const struct launch_order *o, cudaStream_t s) {
	cudaError_t error = o->let == NULL ? cudaSuccess : record(o->let, s, o->at_start ? ORDER_RECORD_STARTED : ORDER_RECORD_LET);
	return error != cudaSuccess || o->begun == NULL ? error : record(o->begun, s, ORDER_RECORD_BEGUN);
}

EXPORT cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { return record(e, s, ORDER_RECORD); }
PTSZ(cudaError_t, cudaEventRecord, (cudaEvent_t, cudaStream_t))

EXPORT cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags) {
	enum { EXTERNAL = 1 }; // in a capture: launches record it
	if (flags & EXTERNAL && recording(s) != NULL)
		return failed(captured(s, record_event(recording(s), NODE_RECORD, e)));
	return cudaEventRecord(e, s);
}
PTSZ(cudaError_t, cudaEventRecordWithFlags, (cudaEvent_t, cudaStream_t, unsigned))

EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t e) { return failed(!LIVE(e) ? cudaErrorInvalidResourceHandle : wire_order(ORDER_EVENT, 0, e->id)); }
EXPORT cudaError_t cudaEventQuery(cudaEvent_t e) { return failed(!LIVE(e) ? cudaErrorInvalidResourceHandle : wire_order(ORDER_EVENT_DONE, 0, e->id)); }

EXPORT cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) { return failed(elapsed(ms, from, to)); }
SAME_AS(cudaEventElapsedTime) cudaError_t cudaEventElapsedTime_v2(float *, cudaEvent_t, cudaEvent_t);

EXPORT cudaError_t cudaStreamSetAttribute(cudaStream_t s, int what, const void *value) {
	(void)s;
	return failed(attribute_hint(what, value, LIBRARY, "cudaStreamSetAttribute"));
}
PTSZ(cudaError_t, cudaStreamSetAttribute, (cudaStream_t, int, const void *))

EXPORT cudaError_t cudaStreamGetAttribute(cudaStream_t s, int what, void *value) {
	(void)s, (void)what;
	return failed(no_attribute(value));
}
PTSZ(cudaError_t, cudaStreamGetAttribute, (cudaStream_t, int, void *))

EXPORT cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
	(void)to, (void)from;
	return failed(wire_ready());
}
PTSZ(cudaError_t, cudaStreamCopyAttributes, (cudaStream_t, cudaStream_t))

EXPORT cudaError_t cudaCtxResetPersistingL2Cache(void) { return failed(wire_ready()); }
