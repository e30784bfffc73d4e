// Functions of the host that streams call. As on a GPU, a function runs in a thread of its own while the application goes on:
// until something needs the end of the function, or for a moment, in case the application waits to hear of it. Operations
// that are requested before the function has begun in streams that do not follow it have not been informed by it.
#define _GNU_SOURCE
#include "wire_line.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
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

// begin_thread creates a thread. It takes only those signals that its own instructions cause.
static int begin_thread(pthread_t *thread, void *(*body)(void *), void *data) {
	static const int own[] = {SIGSEGV, SIGBUS, SIGTRAP, SIGFPE, SIGILL};
	sigset_t most, before;
	sigfillset(&most);
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		sigdelset(&most, own[i]);
	pthread_sigmask(SIG_SETMASK, &most, &before);
	int error = pthread_create(thread, NULL, body, data);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

// run calls a function of a stream. It has a number if it has waited for what is before it.
static int run(uint32_t stream, uint64_t number, void (*function)(void *), void *data) {
	int error = wire_order(ORDER_FUNCTION_RUNS, stream, number);
	if (error == WIRE_OK || number == 0) {
		line_function(stream, 1);
		function(data);
		line_function(stream, 0);
	}
	if (number != 0)
		wire_order(ORDER_FUNCTION_ENDS, stream, number);
	return error;
}

// A function that has to wait for what is before it, in a thread of its own.
struct late {
	uint32_t stream;
	uint64_t number;
	void (*function)(void *);
	void *data;
};

static void *run_late(void *of) {
	struct late l = *(struct late *)of;
	free(of);
	inside = 1;
	run(l.stream, l.number, l.function, l.data);
	return NULL;
}

// begin_late begins the thread of a function that has to wait.
static int begin_late(uint32_t stream, uint64_t number, void (*function)(void *), void *data) {
	pthread_t thread;
	struct late *l = malloc(sizeof *l);
	if (l != NULL) {
		*l = (struct late){stream, number, function, data};
		if (begin_thread(&thread, run_late, l) == 0)
			return pthread_detach(thread);
		free(l);
	}
	return run(stream, number, function, data);
}

// order_function requests a function of a stream. The value is WIRE_LATER if it is not to be called here.
static int order_function(uint32_t stream, void (*function)(void *), void *data) {
	static uint64_t numbers;
	uint64_t number = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
	int error = wire_order(ORDER_FUNCTION, stream, number);
	if (error == WIRE_LATER)
		begin_late(stream, number, function, data);
	return error;
}

enum { MILLISECOND = 1000 * 1000, SECOND = 1000 * MILLISECOND };

// runs reports whether a thread of the process executes instructions, or would if it had a processor.
static int runs(const char *thread) {
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
	FILE *f = fopen(path, "r");
	size_t n = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
	if (f != NULL)
		fclose(f);
	text[n] = 0;
	const char *state = strrchr(text, ')'); // of "17 (name) S ...", where the name may contain anything
	return state != NULL && (state[2] == 'R' || state[2] == 'D');
}

// others_sleep reports whether no other thread of the process runs or is in a call of CUDA.
static int others_sleep(void) {
	DIR *threads = opendir("/proc/self/task");
	long self = syscall(SYS_gettid);
	int asleep = !line_taken();
	for (struct dirent *d; asleep && threads != NULL && (d = readdir(threads)) != NULL;)
		asleep = atol(d->d_name) == self || !runs(d->d_name);
	if (threads != NULL)
		closedir(threads);
	return asleep;
}

static long long processor_time(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * (long long)SECOND + t.tv_nsec;
}

// wait_a_moment waits until the function is due, which it is when the application seems to wait to hear of it: its other threads
// sleep, or have run for some time without a call. That happens a limited number of times; then functions are due at once.
static void wait_a_moment(void) {
	enum { LONGEST = 20 * MILLISECOND, MOST = 100, TICKS = 2 };
	static int heard;
	long long begun = processor_time();
	for (int asleep = 0; call.state == WAITING && heard < MOST && asleep < TICKS && processor_time() - begun < LONGEST;) {
		struct timespec t;
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec += (t.tv_nsec + MILLISECOND) / SECOND, t.tv_nsec = (t.tv_nsec + MILLISECOND) % SECOND;
		if (pthread_cond_timedwait(&call.changed, &call.lock, &t) == ETIMEDOUT)
			asleep = others_sleep() ? asleep + 1 : 0;
	}
	if (call.state == WAITING)
		call.state = DUE, heard++;
}

static void *body(void *unused) {
	(void)unused;
	inside = 1;
	pthread_mutex_lock(&call.lock);
	wait_a_moment();
	pthread_mutex_unlock(&call.lock);
	run(call.stream, 0, call.function, call.data);
	pthread_mutex_lock(&call.lock);
	call.state = ENDED;
	pthread_cond_broadcast(&call.changed);
	pthread_mutex_unlock(&call.lock);
	return NULL;
}

// begin starts the thread of a function.
static int begin(uint32_t stream, void (*function)(void *), void *data) {
	pthread_mutex_lock(&call.lock);
	int free = call.state == NONE;
	if (free) {
		call.owner = getpid(), call.stream = stream, call.function = function, call.data = data;
		free = begin_thread(&call.thread, body, NULL) == 0;
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
	case OP_LIBRARY:
	case OP_COLLECTIVE:
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
	int error = wire_capturing(stream) != NULL ? WIRE_CAPTURE_UNSUPPORTED : order_function(stream, function, data);
	if (error == WIRE_OK && !(line_shares() && begin(stream, function, data)))
		run(stream, 0, function, data);
	return error == WIRE_LATER ? WIRE_OK : error;
}

int wire_node_function(uint32_t stream, void (*function)(void *), void *data) {
	int error = order_function(stream, function, data);
	if (error == WIRE_OK)
		run(stream, 0, function, data);
	return error == WIRE_LATER ? WIRE_OK : error;
}
