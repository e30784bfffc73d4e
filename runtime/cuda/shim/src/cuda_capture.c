// Streams of the driver API that capture: what they are given becomes nodes of a graph, each after the one before,
// and is not executed.
#include "cuda_graph.h"
#include "handles.h"

#include <pthread.h>

enum { PER_THREAD = 2, ACTIVE = 1, CAPTURE_UNSUPPORTED = 900 };

// Streams that take part in a capture, so that they leave it when it ends.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *capturing;

struct graph *recording(CUstream s) { return (uintptr_t)s > PER_THREAD && LIVE(s) ? s->capture : NULL; }

void capture_join(CUstream s, struct graph *g) {
	if (g == NULL || (uintptr_t)s <= PER_THREAD || !LIVE(s) || s->capture != NULL)
		return;
	pthread_mutex_lock(&lock);
	s->capture = g, s->next = capturing;
	capturing = s;
	pthread_mutex_unlock(&lock);
}

void capture_leave(const struct graph *g, const struct stream *one) {
	pthread_mutex_lock(&lock);
	for (struct stream **p = &capturing; *p != NULL;) {
		struct stream *s = *p;
		if (s->capture != g || (one != NULL && s != one)) {
			p = &s->next;
			continue;
		}
		*p = s->next;
		s->capture = NULL;
	}
	pthread_mutex_unlock(&lock);
}

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
