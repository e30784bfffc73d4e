// Streams of the driver API that capture: what they are given becomes nodes of a graph, each after the one before,
// and is not executed.
#include "capture.h"
#include "cuda_graph.h"

enum { PER_THREAD = 2, ACTIVE = 1, CAPTURE_UNSUPPORTED = 900 };

struct graph *recording(CUstream s) { return (uintptr_t)s > PER_THREAD && LIVE(s) ? s->capture : NULL; }

void capture_join(CUstream s, struct graph *g) {
	if (g == NULL || (uintptr_t)s <= PER_THREAD || !LIVE(s) || s->capture != NULL)
		return;
	join_capture(s, g);
}

void capture_leave(const struct graph *g, const struct stream *one) { leave_capture(g, one); }

EXPORT CUresult cuStreamBeginCapture(CUstream s, int mode) {
	(void)mode;
	struct graph *g;
	if ((uintptr_t)s <= PER_THREAD || !LIVE(s) || s->capture != NULL)
		return CAPTURE_UNSUPPORTED;
	CUresult error = cuGraphCreate(&g, 0);
	if (error == CUDA_SUCCESS)
		capture_join(s, g);
	return error;
}
VERSION2(cuStreamBeginCapture, (CUstream, int))
PTSZ(cuStreamBeginCapture, (CUstream, int))
SAME_AS(cuStreamBeginCapture) CUresult cuStreamBeginCapture_v2_ptsz(CUstream, int);

EXPORT CUresult cuStreamEndCapture(CUstream s, struct graph **g) {
	if ((*g = recording(s)) == NULL)
		return CUDA_ERROR_INVALID_VALUE;
	capture_leave(*g, NULL);
	return CUDA_SUCCESS;
}
PTSZ(cuStreamEndCapture, (CUstream, struct graph **))

EXPORT CUresult cuStreamIsCapturing(CUstream s, int *status) {
	*status = recording(s) != NULL ? ACTIVE : 0;
	return wire_ready();
}
PTSZ(cuStreamIsCapturing, (CUstream, int *))

EXPORT CUresult cuStreamGetCaptureInfo(CUstream s, int *status, uint64_t *id) {
	if (id != NULL)
		*id = (uintptr_t)recording(s);
	return cuStreamIsCapturing(s, status);
}
PTSZ(cuStreamGetCaptureInfo, (CUstream, int *, uint64_t *))
