#define _GNU_SOURCE
#include "wire.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

// The variable of the environment in which ptxsan exec names its socket.
#define SOCKET_VARIABLE "PTXSAN_EXEC_SOCKET"

// A reply is a run of frames, the last of which has the result.
enum frame_kind { FRAME_RESULT = 0, FRAME_OUTPUT = 1 };

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
	struct wire_device device;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1, .passed = -1};

// The stream of this thread's operations, and the bit that says that the host waits.
#define HOST_WAITS 0x80000000u
static __thread uint32_t stream_now = HOST_WAITS;

void wire_in(uint32_t stream) { stream_now = stream; }

void wire_done(void) { stream_now = HOST_WAITS; }

static int send_all(struct iovec *v, int n) {
	while (n > 0) {
		struct msghdr m = {.msg_iov = v, .msg_iovlen = n};
		ssize_t done = sendmsg(line.fd, &m, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR)
			continue;
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

// receive_all reads exactly size bytes. A file descriptor that comes along is kept.
static int receive_all(void *to, size_t size) {
	while (size > 0) {
		union {
			char bytes[CMSG_SPACE(sizeof(int))];
			struct cmsghdr align;
		} control;
		struct iovec v = {to, size};
		struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
		ssize_t done = recvmsg(line.fd, &m, MSG_CMSG_CLOEXEC);
		if (done < 0 && errno == EINTR)
			continue;
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

// lost ends the use of a connection that the other end has closed.
static int lost(void) {
	close(line.fd);
	line.fd = -1;
	return line.error = WIRE_NOT_INITIALIZED;
}

// exchange is wire_call for who holds the lock and has a connection.
static int exchange(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size, size_t *got) {
	struct iovec v[8];
	struct {
		uint32_t op, stream;
		uint64_t size;
	} head = {.op = op, .stream = stream_now};
	v[0] = (struct iovec){&head, sizeof head};
	for (int i = 0; i < nparts; i++) {
		v[i + 1] = (struct iovec){(void *)parts[i].bytes, parts[i].size};
		head.size += parts[i].size;
	}
	if (send_all(v, nparts + 1) < 0)
		return lost();
	for (;;) {
		struct frame f;
		if (receive_all(&f, sizeof f) < 0)
			return lost();
		if (f.kind == FRAME_OUTPUT) {
			if (print(f.size) < 0)
				return lost();
			continue;
		}
		size_t n = f.size < reply_size ? f.size : reply_size;
		if (receive_all(reply, n) < 0 || skip(f.size - n) < 0)
			return lost();
		if (got != NULL)
			*got = f.size;
		return f.status;
	}
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
	return exchange(OP_HELLO, NULL, 0, &line.device, sizeof line.device, NULL);
}

// ready connects if there is no connection. A process that was forked by one that had used
// the device cannot use it, as on a GPU.
static int ready(void) {
	pid_t self = getpid();
	if (line.owner != 0 && line.owner != self)
		return WIRE_NOT_INITIALIZED;
	if (line.owner == 0) {
		line.owner = self;
		line.error = dial();
	}
	return line.error;
}

int wire_ready(void) {
	pthread_mutex_lock(&line.lock);
	int error = ready();
	pthread_mutex_unlock(&line.lock);
	return error;
}

const struct wire_device *wire_device(int *error) {
	*error = wire_ready();
	return *error == WIRE_OK ? &line.device : NULL;
}

int wire_call(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size, size_t *got) {
	pthread_mutex_lock(&line.lock);
	int error = ready();
	if (error == WIRE_OK)
		error = exchange(op, parts, nparts, reply, reply_size, got);
	pthread_mutex_unlock(&line.lock);
	return error;
}

// Allocations that the application can reach are mapped at the address that they have on
// the device.
struct mapping {
	uint64_t address, size;
	struct mapping *next;
};
static struct mapping *mappings;

static int map(uint64_t address, uint64_t size, int fd) {
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = address & ~(page - 1);
	uint64_t length = (address - start + (size > 0 ? size : 1) + page - 1) & ~(page - 1);
	void *at = mmap((void *)start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (at == MAP_FAILED)
		return -1;
	if (at != (void *)start) { // a kernel that does not know the flag
		munmap(at, length);
		return -1;
	}
	struct mapping *m = malloc(sizeof *m);
	if (m == NULL) {
		munmap(at, length);
		return -1;
	}
	*m = (struct mapping){start, length, mappings};
	mappings = m;
	return 0;
}

static void unmap(uint64_t address) {
	uint64_t start = address & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);
	for (struct mapping **p = &mappings; *p != NULL; p = &(*p)->next) {
		struct mapping *m = *p;
		if (m->address != start)
			continue;
		munmap((void *)m->address, m->size);
		*p = m->next;
		free(m);
		return;
	}
}

// accept_mapping maps the memory that came with the last reply.
static int accept_mapping(uint64_t address, uint64_t size) {
	int failed = line.passed < 0 || map(address, size, line.passed) < 0;
	if (line.passed >= 0)
		close(line.passed);
	line.passed = -1;
	return failed;
}

// allocate is wire_alloc for who holds the lock. Where something else of the application's
// lies at the address, another one is asked for.
static int allocate(uint64_t size, uint32_t flags, uint64_t *address) {
	enum { ATTEMPTS = 64 };
	struct {
		uint64_t size;
		uint32_t flags, reserved;
	} request = {size, flags, 0};
	struct wire_part part = {&request, sizeof request};
	for (int i = 0; i < ATTEMPTS; i++) {
		int error = exchange(OP_ALLOC, &part, 1, address, sizeof *address, NULL);
		if (error != WIRE_OK || flags != WIRE_HOST_VISIBLE)
			return error;
		if (!accept_mapping(*address, size))
			return WIRE_OK;
		struct wire_part refused = {address, sizeof *address};
		if ((error = exchange(OP_FREE, &refused, 1, NULL, 0, NULL)) != WIRE_OK)
			return error;
	}
	return WIRE_OUT_OF_MEMORY;
}

int wire_managed(uint64_t module, const char *name, uint64_t *address) {
	uint64_t reply[2] = {0};
	struct wire_part parts[] = {{&module, sizeof module}, {name, strlen(name)}};
	pthread_mutex_lock(&line.lock);
	int error = ready();
	if (error == WIRE_OK)
		error = exchange(OP_MANAGED, parts, 2, reply, sizeof reply, NULL);
	if (error == WIRE_OK && accept_mapping(reply[0], reply[1]))
		error = WIRE_OUT_OF_MEMORY;
	pthread_mutex_unlock(&line.lock);
	*address = reply[0];
	return error;
}

int wire_alloc(uint64_t size, uint32_t flags, uint64_t *address) {
	pthread_mutex_lock(&line.lock);
	int error = ready();
	if (error == WIRE_OK)
		error = allocate(size, flags, address);
	pthread_mutex_unlock(&line.lock);
	return error;
}

int wire_free(uint64_t address) {
	struct wire_part part = {&address, sizeof address};
	pthread_mutex_lock(&line.lock);
	int error = ready();
	if (error == WIRE_OK)
		error = exchange(OP_FREE, &part, 1, NULL, 0, NULL);
	if (error == WIRE_OK)
		unmap(address);
	pthread_mutex_unlock(&line.lock);
	return error;
}

int wire_write(uint64_t to, const void *from, uint64_t size) {
	for (int error; size > 0;) {
		uint64_t n = size < WIRE_CHUNK ? size : WIRE_CHUNK;
		struct wire_part parts[] = {{&to, sizeof to}, {from, n}};
		if ((error = wire_call(OP_WRITE, parts, 2, NULL, 0, NULL)) != WIRE_OK)
			return error;
		to += n, from = (const char *)from + n, size -= n;
	}
	return WIRE_OK;
}

int wire_read(void *to, uint64_t from, uint64_t size) {
	for (int error; size > 0;) {
		uint64_t request[] = {from, size < WIRE_CHUNK ? size : WIRE_CHUNK};
		struct wire_part part = {request, sizeof request};
		if ((error = wire_call(OP_READ, &part, 1, to, request[1], NULL)) != WIRE_OK)
			return error;
		to = (char *)to + request[1], from += request[1], size -= request[1];
	}
	return WIRE_OK;
}

int wire_copy(uint64_t to, uint64_t from, uint64_t size) {
	uint64_t request[] = {to, from, size};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_COPY, &part, 1, NULL, 0, NULL);
}

int wire_fill(uint64_t to, uint64_t pitch, uint32_t element, uint32_t value, uint64_t width, uint64_t height) {
	uint64_t request[] = {to, pitch, element, value, width, height};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_FILL, &part, 1, NULL, 0, NULL);
}

int wire_pointer(uint64_t address, struct wire_pointer *p) {
	struct wire_part part = {&address, sizeof address};
	return wire_call(OP_POINTER, &part, 1, p, sizeof *p, NULL);
}

int wire_memory(uint64_t *free_bytes, uint64_t *total) {
	uint64_t reply[2];
	int error = wire_call(OP_MEMORY, NULL, 0, reply, sizeof reply, NULL);
	if (error == WIRE_OK)
		*free_bytes = reply[0], *total = reply[1];
	return error;
}

static int ordered; // a stream has been made

int wire_order(enum wire_order what, uint32_t stream, uint64_t token) {
	struct {
		uint32_t what, stream;
		uint64_t token;
	} request = {what, stream, token};
	struct wire_part part = {&request, sizeof request};
	if (what == ORDER_CREATE)
		__atomic_store_n(&ordered, 1, __ATOMIC_RELAXED);
	if (!__atomic_load_n(&ordered, __ATOMIC_RELAXED))
		return wire_ready();
	return wire_call(OP_ORDER, &part, 1, NULL, 0, NULL);
}

uint32_t wire_number(void) {
	static uint32_t last;
	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

int wire_missing(const char *library, const char *name) {
	struct wire_part parts[] = {{library, strlen(library)}, {":", 1}, {name, strlen(name)}};
	wire_call(OP_MISSING, parts, 3, NULL, 0, NULL);
	return WIRE_NOT_SUPPORTED;
}
