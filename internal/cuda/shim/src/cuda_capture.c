// Streams of the driver API that capture: what they are given becomes nodes of a graph, and is not executed.
#include "capture.h"
#include "cuda_graph.h"

enum { ACTIVE = 1, CAPTURE_UNSUPPORTED = 900 };

struct stream *stream_of(CUstream s) { return own(s); }

uint32_t stream_id(CUstream s) { return number(s); }

uint32_t device_of_stream(CUstream s) { return stream_device(s); }

CUresult event_usable(CUevent e, CUstream s) { return can_record(e, s); }

CUresult event_elapsed(float *ms, CUevent from, CUevent to) { return elapsed(ms, from, to); }

int stream_created(CUstream s) { return created(s); }

void stream_ends(CUstream s) {
	leave_capture(s->capture, s);
	clear_tail(&s->tail);
}

struct graph *recording(CUstream s) { return own_capture_of(s); }

struct tail *tail_of(CUstream s) { return &own(s)->tail; }

int event_captured(CUevent e, CUstream s, enum wire_order what) { return capture_event(e, own(s), what); }

int wait_captured(CUstream s, CUevent e) { return capture_wait(own(s), e); }

EXPORT CUresult cuStreamBeginCapture(CUstream s, int mode) {
	(void)mode;
	struct graph *g;
	if (!LIVE(own(s)) || capture_of(s) != NULL)
		return failed(CAPTURE_UNSUPPORTED);
	CUresult error = cuGraphCreate(&g, 0);
	if (error == CUDA_SUCCESS)
		join_capture(own(s), g);
	return failed(error);
}
VERSION2(cuStreamBeginCapture, (CUstream, int))
PTSZ(cuStreamBeginCapture, (CUstream, int))
IN_THREAD(CUresult, cuStreamBeginCapture, cuStreamBeginCapture_v2_ptsz, (CUstream, int))

// A program that captured into a graph of its own may pass no place for the graph.
EXPORT CUresult cuStreamEndCapture(CUstream s, struct graph **g) {
	struct graph *captured = recording(s);
	if (g != NULL)
		*g = captured;
	if (captured == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	leave_capture(captured, NULL);
	return CUDA_SUCCESS;
}
PTSZ(cuStreamEndCapture, (CUstream, struct graph **))

EXPORT CUresult cuStreamIsCapturing(CUstream s, int *status) {
	*status = capture_of(s) != NULL ? ACTIVE : 0;
	return failed(wire_ready());
}
PTSZ(cuStreamIsCapturing, (CUstream, int *))

// The graph that a stream captures into, and what its next node comes after. Of a stream that does not capture, only the status is
// said.
EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream s, int *status, uint64_t *id, struct graph **g, struct node *const **nodes, const struct edge **edges, size_t *count) {
	return failed(capture_info(s, status, id, g, nodes, edges, count));
}
PTSZ(cuStreamGetCaptureInfo_v3, (CUstream, int *, uint64_t *, struct graph **, struct node *const **, const struct edge **, size_t *))

EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream s, int *status, uint64_t *id, struct graph **g, struct node *const **nodes, size_t *count) {
	return cuStreamGetCaptureInfo_v3(s, status, id, g, nodes, NULL, count);
}
PTSZ(cuStreamGetCaptureInfo_v2, (CUstream, int *, uint64_t *, struct graph **, struct node *const **, size_t *))

EXPORT CUresult cuStreamUpdateCaptureDependencies_v2(CUstream s, struct node *const *nodes, const struct edge *edges, size_t count, unsigned flags) {
	return failed(capture_depends(s, nodes, edges, count, flags));
}
PTSZ(cuStreamUpdateCaptureDependencies_v2, (CUstream, struct node *const *, const struct edge *, size_t, unsigned))

EXPORT CUresult cuStreamBeginCaptureToGraph(CUstream s, struct graph *g, struct node *const *nodes, const struct edge *edges, size_t count, int mode) {
	(void)mode;
	return failed(capture_to(s, g, nodes, edges, count));
}
PTSZ(cuStreamBeginCaptureToGraph, (CUstream, struct graph *, struct node *const *, const struct edge *, size_t, int))

EXPORT CUresult cuThreadExchangeStreamCaptureMode(int *mode) { return failed(exchange_mode(mode)); }

EXPORT CUresult cuStreamGetCaptureInfo(CUstream s, int *status, uint64_t *id) { return cuStreamGetCaptureInfo_v3(s, status, id, NULL, NULL, NULL, NULL); }
PTSZ(cuStreamGetCaptureInfo, (CUstream, int *, uint64_t *))

EXPORT CUresult cuStreamUpdateCaptureDependencies(CUstream s, struct node *const *nodes, size_t count, unsigned flags) {
	return cuStreamUpdateCaptureDependencies_v2(s, nodes, NULL, count, flags);
}
PTSZ(cuStreamUpdateCaptureDependencies, (CUstream, struct node *const *, size_t, unsigned))
