// The connection: requests and their replies.
#define _GNU_SOURCE
#include "handles.h"
#include "wire_line.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The variable of the environment in which ptxsan exec names its socket.
#define SOCKET_VARIABLE "PTXSAN_EXEC_SOCKET"

// A reply is a run of frames, the last of which has the result.
enum frame_kind { FRAME_RESULT = 0, FRAME_OUTPUT = 1, FRAME_PROTECT = 2 };

struct frame {
	uint32_t kind;
	int32_t status;
	uint64_t size;
};

// One connection serves all threads of a process: requests are executed one at a time.
static struct {
	pthread_mutex_t lock;
	int fd;      // -1 when there is none
	pid_t owner; // the process that connected, 0 when none has
	int error;   // of a connection that has failed, for good
	int passed;  // file descriptor that came with the last reply, or -1
	// What memory of the application's keeps from being sent or read: the rest of a request up to that memory, if there is one, the bytes
	// from there on, and those of a reply. behind is how many are behind those that are read.
	struct iovec *sendable;
	int n;
	size_t unsent, unread, behind;
	int whole; // the reply has been read
	char range[WIRE_RANGE]; // the latest one that the other end knows
	struct wire_device device;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, .passed = -1};

// The thread that has line.lock. A thread that finds itself here has put itself here.
static pthread_t holder;
static int taken;
static int wanted; // number of threads that wait for the lock

void line_take(void) {
	__atomic_add_fetch(&wanted, 1, __ATOMIC_SEQ_CST);
	pthread_mutex_lock(&line.lock);
	__atomic_sub_fetch(&wanted, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&holder, pthread_self(), __ATOMIC_RELAXED);
	__atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
}

int line_try(void) {
	enum { TIMES = 2000 };
	for (int i = 0; i < TIMES; i++) {
		if (pthread_mutex_trylock(&line.lock) == 0) {
			__atomic_store_n(&holder, pthread_self(), __ATOMIC_RELAXED);
			__atomic_store_n(&taken, 1, __ATOMIC_RELEASE);
			return 1;
		}
		usleep(1000);
	}
	return 0;
}

void line_give(void) {
	__atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&line.lock);
}

int line_taken(void) { return __atomic_load_n(&taken, __ATOMIC_ACQUIRE); }

int line_held(void) {
	return __atomic_load_n(&taken, __ATOMIC_ACQUIRE) && pthread_equal(__atomic_load_n(&holder, __ATOMIC_RELAXED), pthread_self());
}

uint32_t line_devices(void) { return line.device.devices; }

int line_own(void) { return line.owner == getpid() && line.fd >= 0; }

// touch accesses each page of memory of the application's that the system could not access: the process ends there, as it
// does at a copy by a GPU's driver.
static void touch(void *memory, size_t size, int writes) {
	volatile char *bytes = memory;
	__atomic_signal_fence(__ATOMIC_SEQ_CST); // a handler reads what has been noted before
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (size_t i = 0; size > 0 && i < size + page; i += page) {
		volatile char *byte = bytes + (i < size ? i : size - 1); // the last one is in the last page
		char value = *byte;
		if (writes)
			*byte = value;
	}
}

static int send_all(struct iovec *v, int n) {
	while (n > 0) {
		struct msghdr m = {.msg_iov = v, .msg_iovlen = n};
		ssize_t done = sendmsg(line.fd, &m, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EFAULT) {
			for (int i = 0; i < n; i++)
				line.unsent += v[i].iov_len;
			for (line.sendable = v, line.n = 0; line.n < n; line.unsent -= v[line.n++].iov_len)
				touch(v[line.n].iov_base, v[line.n].iov_len, 0);
		}
		if (done < 0)
			return -1;
		while (n > 0 && (size_t)done >= v->iov_len) {
			done -= v->iov_len;
			v++, n--;
		}
		if (n > 0) {
			v->iov_base = (char *)v->iov_base + done;
			v->iov_len -= done;
		}
	}
	return 0;
}

// SPIN_NS is how long a reply is waited for without going to sleep, where there is more than one processor: waking
// up takes as long.
enum { SPIN_NS = 40000 };

static long since(const struct timespec *begin) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000000000L + now.tv_nsec - begin->tv_nsec;
}

// receive_soon is recvmsg for what comes soon; EAGAIN when nothing has come.
static ssize_t receive_soon(struct msghdr *m) {
	static int processors;
	if (processors == 0)
		processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
	struct timespec begin;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		ssize_t done = recvmsg(line.fd, m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
		if (done >= 0 || errno != EAGAIN)
			return done;
		sched_yield();
	} while (processors > 1 && since(&begin) < SPIN_NS);
	errno = EAGAIN;
	return -1;
}

// receive_all reads exactly size bytes. A file descriptor that comes along is kept.
static int receive_all(void *to, size_t size) {
	while (size > 0) {
		union {
			char bytes[CMSG_SPACE(sizeof(int))];
			struct cmsghdr align;
		} control;
		struct iovec v = {to, size};
		struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
		ssize_t done = receive_soon(&m);
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			done = recvmsg(line.fd, &m, MSG_CMSG_CLOEXEC);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && errno == EFAULT) {
			line.unread = size + line.behind;
			touch(to, size, 1);
		}
		if (done <= 0)
			return -1;
		struct cmsghdr *c = CMSG_FIRSTHDR(&m);
		if (c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			memcpy(&line.passed, CMSG_DATA(c), sizeof line.passed);
		to = (char *)to + done;
		size -= done;
	}
	return 0;
}

static int skip(uint64_t size) {
	char scratch[4096];
	for (; size > 0; size -= size < sizeof scratch ? size : sizeof scratch)
		if (receive_all(scratch, size < sizeof scratch ? size : sizeof scratch) < 0)
			return -1;
	return 0;
}

// print puts what a kernel has printed where the application's own output goes.
static int print(uint64_t size) {
	char text[4096];
	while (size > 0) {
		size_t n = size < sizeof text ? size : sizeof text;
		if (receive_all(text, n) < 0)
			return -1;
		fwrite(text, 1, n, stdout);
		size -= n;
	}
	return 0;
}

// protect reads which pages change their protection.
static int protect(uint64_t size) {
	struct wire_range list[64];
	while (size > 0) {
		size_t n = size < sizeof list ? size : sizeof list;
		if (receive_all(list, n) < 0)
			return -1;
		wire_protect(list, n / sizeof *list);
		size -= n;
	}
	return 0;
}

// lost ends the use of a connection that the other end has closed.
static int lost(void) {
	close(line.fd);
	line.fd = -1;
	return line.error = WIRE_NOT_INITIALIZED;
}

// traced reports whether the place of a call is of interest: races between operations, and with
// the host, are reported with it, and so are memory that is not freed, copies of memory that nothing has written, and calls that fail.
static int traced(enum wire_op op) {
	if (op == OP_FAILED || op == OP_MISSING || op == OP_COLLECTIVE)
		return 1;
	if (op == OP_ALLOC && (line.device.places || wire_waits()))
		return line.device.places;
	if (line.device.places && (op == OP_READ || op == OP_COPY || op == OP_VIRTUAL || op == OP_LIBRARY || op == OP_POOL))
		return 1;
	if (!line_ordered())
		return 0;
	return op == OP_LAUNCH || op == OP_LIBRARY || op == OP_ALLOC || op == OP_FREE || op == OP_WRITE || op == OP_READ || op == OP_COPY || op == OP_FILL || op == OP_VIRTUAL;
}

// receive_reply reads the frames of a reply. Small results go through memory that is not protected.
static int receive_reply(void *reply, size_t reply_size, size_t *got) {
	for (;;) {
		char small[256];
		struct frame f;
		if (receive_all(&f, sizeof f) < 0)
			return lost();
		if (f.kind != FRAME_RESULT) {
			if ((f.kind == FRAME_OUTPUT ? print(f.size) : protect(f.size)) < 0)
				return lost();
			continue;
		}
		size_t n = f.size < reply_size ? f.size : reply_size;
		line.behind = f.size - n;
		if (receive_all(n <= sizeof small ? small : reply, n) < 0 || skip(f.size - n) < 0)
			return lost();
		line.whole = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (n <= sizeof small && n > 0)
			memcpy(reply, small, n);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		line.whole = 0;
		if (got != NULL)
			*got = f.size;
		return f.status;
	}
}

int line_settle(void) {
	static const char nothing[4096];
	if (line.whole || line.unread > 0)
		return skip(line.unread) == 0;
	if (line.unsent == 0 || send_all(line.sendable, line.n) < 0)
		return 0;
	for (size_t n; line.unsent > 0; line.unsent -= n) {
		n = line.unsent < sizeof nothing ? line.unsent : sizeof nothing;
		struct iovec v = {(void *)nothing, n};
		if (send_all(&v, 1) < 0)
			return 0;
	}
	return receive_reply(NULL, 0, NULL) != WIRE_NOT_INITIALIZED;
}

// exchange is wire_call for who holds the lock and has a connection. thread is that which repeats the request, 0 the
// first time; the highest bit says that other threads wait for the connection.
static int exchange(enum wire_op op, uint32_t thread, const struct wire_part *parts, int nparts, void *reply, size_t reply_size, size_t *got) {
	enum { DEVICE_BIT = 16 };
	struct iovec v[8];
	struct {
		uint32_t op, stream, size, thread;
	} head = {.op = op | wire_current_device() << DEVICE_BIT, .stream = line_stream(op), .thread = thread};
	struct {
		uint64_t count, path[WIRE_PATH];
	} place;
	int n = 0;
	place.count = 0;
	v[n++] = (struct iovec){&head, sizeof head};
	if (traced(op)) {
		wire_watch();
		place.count = wire_path(place.path, WIRE_PATH);
	} else if (op == OP_LAUNCH || op == OP_MODULE) {
		place.count = wire_python(place.path);
	}
	if (place.count > 0) {
		head.stream |= LINE_PATH;
		v[n++] = (struct iovec){&place, (1 + place.count) * sizeof place.count};
	}
	for (int i = 0; i < nparts; i++)
		v[n++] = (struct iovec){(void *)parts[i].bytes, parts[i].size};
	for (int i = 1; i < n; i++)
		head.size += v[i].iov_len;
	return send_all(v, n) < 0 ? lost() : receive_reply(reply, reply_size, got);
}

// tell_range says in which range a launch is.
static void tell_range(void) {
	const char *now = line_range();
	if (strncmp(now, line.range, sizeof line.range - 1) == 0)
		return;
	snprintf(line.range, sizeof line.range, "%s", now);
	struct wire_part part = {line.range, strlen(line.range)};
	exchange(OP_RANGE, 0, &part, 1, NULL, 0, NULL);
}

int line_exchange(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size) {
	return exchange(op, 0, parts, nparts, reply, reply_size, NULL);
}

// dial connects to the socket that the environment names.
static int dial(void) {
	const char *name = getenv(SOCKET_VARIABLE);
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	if (name == NULL || strlen(name) >= sizeof to.sun_path)
		return WIRE_NO_DEVICE;
	strcpy(to.sun_path, name);
	line.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (line.fd < 0)
		return WIRE_NO_DEVICE;
	if (connect(line.fd, (struct sockaddr *)&to, sizeof to) < 0) {
		close(line.fd);
		line.fd = -1;
		return WIRE_NO_DEVICE;
	}
	const char *visible = getenv("CUDA_VISIBLE_DEVICES");
	struct wire_part parts[] = {{"=", 1}, {visible, visible == NULL ? 0 : strlen(visible)}};
	return exchange(OP_HELLO, 0, parts, visible == NULL ? 0 : 2, &line.device, sizeof line.device, NULL);
}

// A process that was forked by one that had used the device cannot use it, as on a GPU.
int line_connected(void) {
	pid_t self = getpid();
	if (line.owner != 0 && line.owner != self)
		return WIRE_NOT_INITIALIZED;
	if (line.owner == 0) {
		line.owner = self;
		line.error = dial();
		if (line.error == WIRE_OK)
			line_tells_crashes();
		if (line.error == WIRE_OK && line.device.devices > 1)
			line_orders();
	}
	return line.error;
}

static int sticky;

int wire_sticky(void) { return __atomic_load_n(&sticky, __ATOMIC_RELAXED); }

int line_sticky(int error) {
	enum { TIMEOUT = 702 };
	if (error == WIRE_OK || (line_is_fault(error) && error != TIMEOUT))
		__atomic_store_n(&sticky, error, __ATOMIC_RELAXED);
	return error;
}

int line_ready(void) {
	int error = line_connected();
	return error == WIRE_OK ? wire_sticky() : error;
}

// performs reports whether a request is performed after a sticky error: if it frees something, or is about the report.
static int performs(enum wire_op op, const struct wire_part *parts) {
	switch (op) {
	case OP_FREE: case OP_UNLOAD: case OP_FAILED: case OP_HANDLED: case OP_CRASH: case OP_POOL: case OP_MISSING: case OP_HOST: case OP_TEST: return 1;
	case OP_ORDER: return *(const uint32_t *)parts->bytes == ORDER_END || *(const uint32_t *)parts->bytes == ORDER_END_EVENT;
	case OP_VIRTUAL: return *(const uint64_t *)parts->bytes <= VIRTUAL_UNMAP && *(const uint64_t *)parts->bytes >= VIRTUAL_UNRESERVE && *(const uint64_t *)parts->bytes != VIRTUAL_MAP;
	default: return 0;
	}
}

int wire_ready(void) {
	line_take();
	int error = line_ready();
	line_give();
	return error;
}

const struct wire_device *wire_device(int *error) {
	line_take();
	*error = line_connected();
	line_give();
	return *error == WIRE_OK ? &line.device : NULL;
}

// captured makes an operation a node of what a stream captures. The host's memory can be neither written nor given back later.
static int captured(struct stream *s, enum wire_op op, const struct wire_part *parts, int nparts) {
	return op == OP_READ || op == OP_FREE ? WIRE_CAPTURE_UNSUPPORTED : s->request(s, op, parts, nparts);
}

static int is_operation(enum wire_op op) {
	return op == OP_LAUNCH || op == OP_COPY || op == OP_FILL || op == OP_WRITE || op == OP_READ || op == OP_FREE;
}

int wire_call(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size, size_t *got) {
	struct stream *capturing = is_operation(op) && !wire_waits() ? wire_capturing(wire_stream()) : NULL;
	if (capturing != NULL)
		return captured(capturing, op, parts, nparts);
	enum { AGAIN = 1 << 30, LONGEST_US = 1000 }; // an operation has to end first, which another thread may have to let it
	const uint32_t others = 1u << 31;            // other threads wait for the connection
	uint32_t thread = 0;
	line_finish_function_before(op);
	for (useconds_t pause = 10;; pause = pause < LONGEST_US ? 2 * pause : LONGEST_US) {
		line_take();
		int error = performs(op, parts) ? line_connected() : line_ready();
		if (error == WIRE_OK && op == OP_LAUNCH)
			tell_range();
		if (error == WIRE_OK)
			error = exchange(op, thread | (__atomic_load_n(&wanted, __ATOMIC_SEQ_CST) > 0 ? others : 0), parts, nparts, reply, reply_size, got);
		line_give();
		if (error != AGAIN) {
			line_answered(op);
			return op != OP_LAUNCH && error != WIRE_OK ? line_sticky(error) : error;
		}
		thread = (uint32_t)syscall(SYS_gettid); // that waits
		usleep(pause);
	}
}

int line_passed(void) {
	int fd = line.passed;
	line.passed = -1;
	return fd;
}

static __thread int unread; // the program has not read the error of a call of this thread

void wire_failed(int error, const char *name, const char *text) {
	struct {
		uint64_t thread;
		uint32_t error, reserved;
	} request = {(uint64_t)pthread_self(), error, 0};
	struct wire_part parts[] = {{&request, sizeof request}, {name, strlen(name) + 1}, {text, strlen(text)}};
	if (error == WIRE_NOT_READY || line_is_fault(error) || wire_ready() != WIRE_OK || !line.device.errors)
		return;
	unread = 1;
	wire_call(OP_FAILED, parts, 3, NULL, 0, NULL);
}

void wire_handled(void) {
	uint64_t thread = (uint64_t)pthread_self();
	struct wire_part part = {&thread, sizeof thread};
	if (unread)
		wire_call(OP_HANDLED, &part, 1, NULL, 0, NULL);
	unread = 0;
}

int wire_missing(const char *library, const char *name) {
	struct wire_part parts[] = {{library, strlen(library)}, {":", 1}, {name, strlen(name)}};
	wire_call(OP_MISSING, parts, 3, NULL, 0, NULL);
	return WIRE_NOT_SUPPORTED;
}
