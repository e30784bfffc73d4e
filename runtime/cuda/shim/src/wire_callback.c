// Functions of the host that streams call. As on a GPU, a function runs in a thread of its own while the application goes on:
// until something needs the end of the function, or for a moment, in case the application waits to hear of it. Operations
// that are requested before the function has begun in streams that do not follow it have not been informed by it.
#include "wire_line.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

// One function waits at a time.
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum { NONE, WAITING, DUE, ENDED } state;
	pthread_t thread;
	pid_t owner;
	uint32_t stream;
	void (*function)(void *);
	void *data;
} call = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static __thread int inside; // this is the thread of a function

void wire_run_function(uint32_t stream, void (*function)(void *), void *data) {
	wire_order(ORDER_FUNCTION_RUNS, stream, 0);
	line_function(stream, 1);
	function(data);
	line_function(stream, 0);
}

// wait_a_moment waits until the function is due. The moments in which nothing needs the end of a function are limited in number:
// the application may wait to hear of each.
static void wait_a_moment(void) {
	enum { LONGEST = 20 * 1000 * 1000, MOST = 25, SECOND = 1000 * 1000 * 1000 };
	static int idle;
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	if (idle < MOST)
		t.tv_nsec += LONGEST;
	if (t.tv_nsec >= SECOND)
		t.tv_sec++, t.tv_nsec -= SECOND;
	while (call.state == WAITING)
		if (pthread_cond_timedwait(&call.changed, &call.lock, &t) == ETIMEDOUT)
			call.state = DUE, idle++;
}

static void *body(void *unused) {
	(void)unused;
	inside = 1;
	pthread_mutex_lock(&call.lock);
	wait_a_moment();
	pthread_mutex_unlock(&call.lock);
	wire_run_function(call.stream, call.function, call.data);
	pthread_mutex_lock(&call.lock);
	call.state = ENDED;
	pthread_cond_broadcast(&call.changed);
	pthread_mutex_unlock(&call.lock);
	return NULL;
}

// begin starts the thread of a function. The thread takes only those signals that its own instructions cause.
static int begin(uint32_t stream, void (*function)(void *), void *data) {
	static const int own[] = {SIGSEGV, SIGBUS, SIGTRAP, SIGFPE, SIGILL};
	sigset_t most, before;
	sigfillset(&most);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&most, own[i]);
	pthread_mutex_lock(&call.lock);
	int free = call.state == NONE;
	if (free) {
		call.owner = getpid(), call.stream = stream, call.function = function, call.data = data;
		pthread_sigmask(SIG_SETMASK, &most, &before);
		free = pthread_create(&call.thread, NULL, body, NULL) == 0;
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	if (free)
		__atomic_store_n(&call.state, WAITING, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&call.lock);
	return free;
}

void line_finish_function(void) {
	if (__atomic_load_n(&call.state, __ATOMIC_ACQUIRE) == NONE || inside || call.owner != getpid())
		return;
	pthread_mutex_lock(&call.lock);
	if (call.state == WAITING)
		call.state = DUE;
	pthread_cond_broadcast(&call.changed);
	while (call.state == DUE)
		pthread_cond_wait(&call.changed, &call.lock);
	int last = call.state == ENDED;
	pthread_t thread = call.thread;
	if (last)
		__atomic_store_n(&call.state, NONE, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&call.lock);
	if (last)
		pthread_join(thread, NULL);
}

void line_finish_function_of(uint32_t stream) {
	if (__atomic_load_n(&call.state, __ATOMIC_ACQUIRE) != NONE && call.stream == stream)
		line_finish_function();
}

void line_finish_function_before(enum wire_op op) {
	switch (op) {
	case OP_LAUNCH:
	case OP_WRITE:
	case OP_READ:
	case OP_COPY:
	case OP_FILL:
	case OP_FREE:
		if (!wire_waits() && wire_stream() != 0) {
			line_finish_function_of(wire_stream());
			return;
		}
		break;
	case OP_UNLOAD:
	case OP_RESET:
		break;
	default:
		return;
	}
	line_finish_function();
}

int wire_host_function(uint32_t stream, void (*function)(void *), void *data) {
	int error = wire_order(ORDER_FUNCTION, stream, 0);
	if (error == WIRE_OK && !(line_shares() && begin(stream, function, data)))
		wire_run_function(stream, function, data);
	return error;
}
