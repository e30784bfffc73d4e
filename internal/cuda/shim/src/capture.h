// Which stream a handle stands for, and streams that take part in a capture, for the streams of both APIs. Each library includes
// this once, in the file that has its streams.
#ifndef PTXSAN_CAPTURE_H
#define PTXSAN_CAPTURE_H

#include "handles.h"
#include "wire.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// All streams that capture, so that they leave the capture when it ends.
static pthread_mutex_t capture_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *capturing;

// add_tail adds the nodes of a tail to another one, which is that of a stream or an event.
static void add_tail(struct tail *to, const struct tail *from) {
	size_t count = to->count + from->count;
	struct node **nodes = from->count > 0 ? realloc(to->nodes, count * sizeof *nodes) : NULL;
	if (nodes == NULL)
		return;
	to->nodes = nodes;
	struct edge *edges = realloc(to->edges, count * sizeof *edges);
	if (edges == NULL)
		return;
	to->edges = edges;
	memcpy(nodes + to->count, from->nodes, from->count * sizeof *nodes);
	if (from->edges != NULL)
		memcpy(edges + to->count, from->edges, from->count * sizeof *edges);
	else
		memset(edges + to->count, 0, from->count * sizeof *edges);
	to->count = count;
}

static void clear_tail(struct tail *t) {
	free(t->nodes), free(t->edges);
	*t = (struct tail){0};
}

// Modes of captures, by CUDA's numbers. They say which calls of other threads are errors, and there are none here.
static __thread int capture_mode;
static inline int exchange_mode(int *mode) {
	enum { RELAXED = 2 };
	if (mode == NULL || *mode < 0 || *mode > RELAXED)
		return WIRE_INVALID_VALUE;
	int before = capture_mode;
	capture_mode = *mode, *mode = before;
	return WIRE_OK;
}

// capture_request is stream.request, of each library.
int capture_request(struct stream *s, int op, const struct wire_part *parts, int nparts);

// captures reports whether streams capture into a graph. The caller has the lock.
static int captures(const struct graph *g) {
	for (struct stream *s = capturing; s != NULL; s = s->next)
		if (s->capture == g)
			return 1;
	return 0;
}

// join_capture makes a stream that does not capture take part in a capture.
static void join_capture(struct stream *s, struct graph *g) {
	pthread_mutex_lock(&capture_lock);
	s->capture = g, s->next = capturing, s->request = capture_request;
	capturing = s;
	wire_capture(s, s->id, 1);
	pthread_mutex_unlock(&capture_lock);
}

// leave_capture ends a capture for all its streams, or for one.
static void leave_capture(const struct graph *g, const struct stream *one) {
	pthread_mutex_lock(&capture_lock);
	for (struct stream **p = &capturing; *p != NULL;) {
		struct stream *s = *p;
		if (s->capture != g || (one != NULL && s != one)) {
			p = &s->next;
			continue;
		}
		*p = s->next;
		s->capture = NULL;
		wire_capture(s, s->id, 0);
		clear_tail(&s->tail);
	}
	pthread_mutex_unlock(&capture_lock);
}

// capture_event records an event in a capture: it stands for what the stream has captured so far, or for the time when the launch
// captured last lets dependents begin, or has begun (CUDA Programming Guide, "Programmatic Dependent Launch", edges of captures). The
// value is 0 if the stream does not capture.
static int capture_event(struct event *e, const struct stream *s, enum wire_order what) {
	static const struct edge edges[] = {[ORDER_RECORD_LET] = {.from_port = 1, .type = 1}, [ORDER_RECORD_STARTED] = {.from_port = 2, .type = 1}, [ORDER_RECORD_BEGUN] = {.from_port = 2}};
	clear_tail(&e->tail);
	e->capture = s != NULL ? s->capture : NULL;
	if (e->capture != NULL)
		add_tail(&e->tail, &s->tail);
	for (size_t i = 0; what != ORDER_RECORD && i < e->tail.count; i++)
		e->tail.edges[i] = edges[what];
	return e->capture != NULL;
}

// capture_wait makes a stream wait for an event that was recorded in a capture. A stream takes part in the capture from then on.
// The value is 0 if the event was not recorded in a capture that goes on.
static int capture_wait(struct stream *s, const struct event *e) {
	pthread_mutex_lock(&capture_lock);
	int inside = e->capture != NULL && s != NULL && captures(e->capture);
	pthread_mutex_unlock(&capture_lock);
	if (!inside)
		return 0;
	if (s->capture == NULL)
		join_capture(s, e->capture);
	if (s->capture == e->capture)
		add_tail(&s->tail, &e->tail);
	return 1;
}

// The stream objects of the default streams of a thread, by device.
static pthread_key_t of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_of_thread(void *stream) {
	for (struct stream *s = stream; s < (struct stream *)stream + WIRE_DEVICES; s++)
		if (s->capture != NULL)
			leave_capture(s->capture, s);
	free(stream);
}

static void make_key(void) { pthread_key_create(&of_thread, end_of_thread); }

static struct stream *stream_of_thread(void) {
	pthread_once(&once, make_key);
	struct stream *list = pthread_getspecific(of_thread), *s;
	if (list == NULL && (list = calloc(WIRE_DEVICES, sizeof *list)) != NULL)
		pthread_setspecific(of_thread, list);
	if (list == NULL)
		return NULL;
	s = &list[wire_current_device()];
	s->id = wire_thread_stream(), s->epoch = wire_epoch();
	return s;
}

// own is the stream of a handle, null for the legacy default stream. The first numbers are not pointers but the default streams.
static struct stream *own(struct stream *s) {
	enum { LEGACY = 1, PER_THREAD = 2 };
	if ((uintptr_t)s > PER_THREAD)
		return s;
	return (uintptr_t)s == PER_THREAD || (s == NULL && wire_is_per_thread()) ? stream_of_thread() : NULL;
}

// created reports whether a handle is that of a stream which the application has created.
static int created(struct stream *s) {
	enum { PER_THREAD = 2 };
	return (uintptr_t)s > PER_THREAD && LIVE(s);
}

// number is the number by which the other end knows the stream of a handle.
static uint32_t number(struct stream *s) {
	struct stream *o = own(s);
	return o == NULL ? 0 : LIVE(o) ? o->id : WIRE_NO_STREAM;
}

// stream_device is the device of a stream. One that is not live has none, and the operation that it is for is an error.
static uint32_t stream_device(struct stream *s) {
	struct stream *o = own(s);
	return o == NULL ? wire_current_device() : WIRE_DEVICE_OF(o->epoch);
}

// can_record is the error of recording an event in a stream: they are of one device.
static int can_record(const struct event *e, struct stream *s) {
	return !LIVE(e) || number(s) == WIRE_NO_STREAM || WIRE_DEVICE_OF(e->epoch) != stream_device(s) ? WIRE_INVALID_HANDLE : WIRE_OK;
}

// elapsed is the error of the time between two events, which are of one device.
static int elapsed(float *ms, const struct event *from, const struct event *to) {
	if (!LIVE(from) || !LIVE(to) || !from->recorded || !to->recorded || WIRE_DEVICE_OF(from->epoch) != WIRE_DEVICE_OF(to->epoch))
		return WIRE_INVALID_HANDLE;
	*ms = (to->when.tv_sec - from->when.tv_sec) * 1e3f + (to->when.tv_nsec - from->when.tv_nsec) * 1e-6f;
	return WIRE_OK;
}

// capture_of is the graph that a stream captures into, null when it executes.
static struct graph *capture_of(struct stream *s) {
	struct stream *o = own(s);
	return LIVE(o) ? o->capture : NULL;
}

// own_capture_of is the same if this library has begun the capture. The other library's have nodes of another kind: operations in
// their streams become requests (wire_capture).
static struct graph *own_capture_of(struct stream *s) { return capture_of(s) != NULL && own(s)->request == capture_request ? own(s)->capture : NULL; }

// capture_info says what a stream captures: its status, and in a capture the graph and what the next node comes after. Each
// place but that of the status may be null.
static inline int capture_info(struct stream *s, int *status, uint64_t *id, struct graph **g, struct node *const **nodes, const struct edge **edges, size_t *count) {
	struct stream *o = own(s);
	struct graph *into = capture_of(s);
	if (status == NULL)
		return WIRE_INVALID_VALUE;
	*status = into != NULL;
	if (into == NULL)
		return number(s) == WIRE_NO_STREAM ? WIRE_INVALID_HANDLE : wire_ready();
	if (id != NULL)
		*id = (uintptr_t)into;
	if (g != NULL)
		*g = into;
	if (nodes != NULL)
		*nodes = o->tail.nodes;
	if (edges != NULL)
		*edges = o->tail.edges;
	if (count != NULL)
		*count = o->tail.count;
	return WIRE_OK;
}

// capture_depends changes what the next node of a capture comes after: also nodes of a list, or these alone.
static inline int capture_depends(struct stream *s, struct node *const *nodes, const struct edge *edges, size_t count, unsigned flags) {
	enum { ADD, SET, ILLEGAL_STATE = 401 };
	struct stream *o = own(s);
	if (capture_of(s) == NULL)
		return ILLEGAL_STATE;
	if (flags > SET || (nodes == NULL && count > 0))
		return WIRE_INVALID_VALUE;
	if (flags == SET)
		clear_tail(&o->tail);
	struct tail more = {(struct node **)nodes, (struct edge *)edges, count};
	add_tail(&o->tail, &more);
	return WIRE_OK;
}

// capture_to makes a stream capture into a graph of the application's, after some of its nodes.
static inline int capture_to(struct stream *s, struct graph *g, struct node *const *nodes, const struct edge *edges, size_t count) {
	enum { CAPTURE_UNSUPPORTED = 900 };
	if (g == NULL)
		return WIRE_INVALID_VALUE;
	if (!LIVE(own(s)) || capture_of(s) != NULL)
		return CAPTURE_UNSUPPORTED;
	join_capture(own(s), g);
	return capture_depends(s, nodes, edges, count, 0);
}

#endif
