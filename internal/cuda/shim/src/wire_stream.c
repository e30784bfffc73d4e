// Where the operations of a thread go: streams, the default streams of threads, calls in several requests, and calls that order
// operations.
#include "wire_line.h"

#include <pthread.h>
#include <stdlib.h>

static __thread uint32_t stream_now = LINE_SYNC;
static __thread int per_thread; // the default stream is that of the thread
static __thread int across;
static __thread enum { WHOLE, FIRST, LATER } part;
static __thread uint32_t function_now; // the stream that calls the function in which the thread is, with LINE_FUNCTION

// Streams that capture.
static struct capture {
	struct stream *stream;
	uint32_t number;
	struct capture *next;
} *captures;
static pthread_mutex_t captures_lock = PTHREAD_MUTEX_INITIALIZER;

void wire_capture(struct stream *s, uint32_t number, int on) {
	pthread_mutex_lock(&captures_lock);
	struct capture **p = &captures, *c;
	while (*p != NULL && (*p)->stream != s)
		p = &(*p)->next;
	if (on && *p == NULL && (c = calloc(1, sizeof *c)) != NULL)
		c->stream = s, c->number = number, *p = c;
	if (!on && (c = *p) != NULL) {
		*p = c->next;
		free(c);
	}
	pthread_mutex_unlock(&captures_lock);
}

struct stream *wire_capturing(uint32_t stream) {
	if (__atomic_load_n(&captures, __ATOMIC_RELAXED) == NULL)
		return NULL;
	pthread_mutex_lock(&captures_lock);
	const struct capture *c = captures;
	while (c != NULL && c->number != stream)
		c = c->next;
	struct stream *s = c == NULL ? NULL : c->stream;
	pthread_mutex_unlock(&captures_lock);
	return s;
}

// numbered is the number of a stream in requests: default streams have numbers that no other stream has.
static uint32_t numbered(uint32_t stream) {
	enum { DEFAULTS = 1 << 26 };
	return stream == 0 && wire_current_device() != 0 ? DEFAULTS + wire_current_device() : stream;
}

void wire_in(uint32_t stream) { stream_now = stream; }

void wire_done(void) { stream_now = LINE_SYNC; }

uint32_t wire_stream(void) { return stream_now & ~LINE_SYNC; }

int wire_waits(void) { return (stream_now & LINE_SYNC) != 0; }

int wire_parts(void) {
	int outer = part;
	if (part == WHOLE)
		part = FIRST;
	return outer;
}

void wire_end_parts(int outer) {
	if (outer == WHOLE)
		part = WHOLE;
}

static __thread const char *range;

void wire_range(const char *text) { range = text; }

const char *line_range(void) { return range == NULL ? "" : range; }

void wire_across(int on) { across = on; }

void line_function(uint32_t stream, int on) { function_now = on ? stream | LINE_FUNCTION : 0; }

// The default streams of the thread, by device.
static __thread struct {
	uint32_t id, epoch;
} mine[WIRE_DEVICES];
static pthread_key_t ends;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_streams(void *some) {
	(void)some;
	for (uint32_t d = 0; d < WIRE_DEVICES; d++)
		if (mine[d].id != 0 && wire_live(mine[d].epoch))
			ON_DEVICE(d, wire_order(ORDER_END, mine[d].id, 0));
}

static void make_key(void) { pthread_key_create(&ends, end_streams); }

uint32_t wire_thread_stream(void) {
	enum { OF_THREAD = 2 };
	uint32_t d = wire_current_device();
	if (mine[d].id != 0 && mine[d].epoch == wire_epoch())
		return mine[d].id;
	mine[d].id = wire_number(), mine[d].epoch = wire_epoch();
	pthread_once(&once, make_key);
	pthread_setspecific(ends, mine);
	wire_order(ORDER_CREATE, mine[d].id, OF_THREAD);
	return mine[d].id;
}

int wire_per_thread(int on) {
	int outer = per_thread;
	if (on)
		wire_thread_stream();
	per_thread = on;
	return outer;
}

int wire_is_per_thread(void) { return per_thread; }

static int transfers(enum wire_op op) { return op == OP_WRITE || op == OP_READ || op == OP_COPY || op == OP_FILL; }

uint32_t line_stream(enum wire_op op) {
	if (op == OP_HOST && function_now != 0)
		return function_now;
	uint32_t number = numbered(wire_waits() && per_thread ? mine[wire_current_device()].id : wire_stream());
	uint32_t word = number | (stream_now & LINE_SYNC);
	if (!transfers(op))
		return word;
	return word | (part == LATER ? LINE_PART : 0) | (across ? LINE_ACROSS : 0);
}

void line_answered(enum wire_op op) {
	if (transfers(op) && part == FIRST)
		part = LATER;
}

static int ordered; // a stream has been made, or memory that one allocates

void line_orders(void) { __atomic_store_n(&ordered, 1, __ATOMIC_RELAXED); }

void wire_orders(void) { line_orders(); }

int line_ordered(void) { return line_shares() || __atomic_load_n(&ordered, __ATOMIC_RELAXED); }

// waits reports whether the host waits in a call.
static int waits(enum wire_order what) {
	return what == ORDER_STREAM || what == ORDER_DEVICE || what == ORDER_EVENT || what == ORDER_STREAM_DONE || what == ORDER_EVENT_DONE;
}

int wire_order(enum wire_order what, uint32_t stream, uint64_t token) {
	struct {
		uint32_t what, stream;
		uint64_t token;
	} request = {what, numbered(stream), token};
	struct wire_part request_part = {&request, sizeof request};
	if (stream == WIRE_NO_STREAM)
		return WIRE_INVALID_HANDLE;
	if (what == ORDER_CREATE || what == ORDER_BRANCH || what == ORDER_OVERLAPS)
		line_orders();
	if (waits(what) || what == ORDER_FUNCTION || (stream == 0 && what != ORDER_END_EVENT))
		line_finish_function();
	else
		line_finish_function_of(stream);
	int error = line_ordered() ? wire_call(OP_ORDER, &request_part, 1, NULL, 0, NULL) : wire_ready();
	return error == WIRE_OK && waits(what) ? wire_fault() : error;
}

uint32_t wire_number(void) {
	static uint32_t last;
	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
