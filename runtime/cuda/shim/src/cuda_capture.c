// Streams of the driver API that capture: what they are given becomes nodes of a graph, and is not executed.
#include "capture.h"
#include "cuda_graph.h"

enum { ACTIVE = 1, CAPTURE_UNSUPPORTED = 900 };

struct stream *stream_of(CUstream s) { return own(s); }

uint32_t stream_id(CUstream s) { return number(s); }

int stream_created(CUstream s) { return created(s); }

void stream_ends(CUstream s) {
	leave_capture(s->capture, s);
	clear_tail(&s->tail);
}

struct graph *recording(CUstream s) { return capture_of(s); }

struct tail *tail_of(CUstream s) { return &own(s)->tail; }

int event_captured(CUevent e, CUstream s) { return capture_event(e, own(s)); }

int wait_captured(CUstream s, CUevent e) { return capture_wait(own(s), e); }

EXPORT CUresult cuStreamBeginCapture(CUstream s, int mode) {
	(void)mode;
	struct graph *g;
	if (!LIVE(own(s)) || recording(s) != NULL)
		return failed(CAPTURE_UNSUPPORTED);
	CUresult error = cuGraphCreate(&g, 0);
	if (error == CUDA_SUCCESS)
		join_capture(own(s), g);
	return failed(error);
}
VERSION2(cuStreamBeginCapture, (CUstream, int))
PTSZ(cuStreamBeginCapture, (CUstream, int))
IN_THREAD(CUresult, cuStreamBeginCapture, cuStreamBeginCapture_v2_ptsz, (CUstream, int))

EXPORT CUresult cuStreamEndCapture(CUstream s, struct graph **g) {
	if ((*g = recording(s)) == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	leave_capture(*g, NULL);
	return CUDA_SUCCESS;
}
PTSZ(cuStreamEndCapture, (CUstream, struct graph **))

EXPORT CUresult cuStreamIsCapturing(CUstream s, int *status) {
	*status = recording(s) != NULL ? ACTIVE : 0;
	return failed(wire_ready());
}
PTSZ(cuStreamIsCapturing, (CUstream, int *))

EXPORT CUresult cuStreamGetCaptureInfo(CUstream s, int *status, uint64_t *id) {
	if (id != NULL)
		*id = (uintptr_t)recording(s);
	return cuStreamIsCapturing(s, status);
}
PTSZ(cuStreamGetCaptureInfo, (CUstream, int *, uint64_t *))
