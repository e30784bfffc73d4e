// The connection of the shim with ptxsan exec.
#define _GNU_SOURCE
#include "attached.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The variable of the environment that names the socket.
#define SOCKET_VARIABLE "PTXSAN_GPU_SOCKET"

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
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

__thread int attached_inside;

static int served; // ptxsan exec has started this process

__attribute__((constructor)) static void find_server(void) { served = getenv(SOCKET_VARIABLE) != NULL; }

static int send_all(const void *from, size_t size) {
	while (size > 0) {
		ssize_t done = send(line.fd, from, size, MSG_NOSIGNAL);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		from = (const char *)from + done, size -= done;
	}
	return 0;
}

static int receive_all(void *to, size_t size) {
	while (size > 0) {
		ssize_t done = recv(line.fd, to, size, 0);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		to = (char *)to + done, size -= done;
	}
	return 0;
}

static int send_frame(uint32_t kind, int32_t status, const struct wire_part *parts, int n) {
	struct frame f = {.kind = kind, .status = status};
	for (int i = 0; i < n; i++)
		f.size += parts[i].size;
	int failed = send_all(&f, sizeof f);
	for (int i = 0; i < n && !failed; i++)
		failed = send_all(parts[i].bytes, parts[i].size);
	return failed;
}

// obey executes a command and sends what the driver says.
static int obey(const struct frame *f, struct attached_subject *s) {
	unsigned char *args = malloc(f->size + 1);
	if (args == NULL || receive_all(args, f->size) < 0) {
		free(args);
		return -1;
	}
	struct wire_part reply = {NULL, 0};
	void *bytes = NULL;
	CUresult error = attached_execute(f->kind, args, f->size, s, &bytes, &reply.size);
	char text[512] = "";
	free(args);
	reply.bytes = bytes;
	if (error != CUDA_SUCCESS && bytes == NULL) {
		const char *name = NULL, *words = NULL;
		REAL(cuGetErrorName)(error, &name);
		REAL(cuGetErrorString)(error, &words);
		if (name != NULL && words != NULL && strlen(name) + strlen(words) < sizeof text - 4)
			strcat(strcat(strcat(strcpy(text, name), " ("), words), ")");
		reply = (struct wire_part){text, strlen(text)};
	}
	int failed = send_frame(error, 0, &reply, 1);
	free(bytes);
	return failed;
}

// exchange is attached_call for who holds the lock and has a connection.
static int exchange(enum attached_request r, const struct wire_part *parts, int nparts, struct attached_subject *s, uint64_t *reply, int count) {
	struct frame f;
	if (send_frame(r, 0, parts, nparts) < 0)
		return -1;
	for (;;) {
		if (receive_all(&f, sizeof f) < 0)
			return -1;
		if (f.kind == CMD_RESULT)
			break;
		if (obey(&f, s) < 0)
			return -1;
	}
	size_t most = count * sizeof *reply, numbers = f.size < most ? f.size : most;
	if (receive_all(reply, numbers) < 0)
		return -1;
	if (f.size == numbers)
		return f.status;
	if (s == NULL || (s->bytes = malloc(s->size = f.size - numbers)) == NULL)
		return -1;
	return receive_all(s->bytes, s->size) < 0 ? -1 : f.status;
}

static void dial(void) {
	const char *name = getenv(SOCKET_VARIABLE);
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	uint64_t parent = getppid();
	struct wire_part hello = {&parent, sizeof parent};
	if (name == NULL || strlen(name) >= sizeof to.sun_path)
		return;
	strcpy(to.sun_path, name);
	line.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (line.fd >= 0 && (connect(line.fd, (struct sockaddr *)&to, sizeof to) < 0 || exchange(REQ_HELLO, &hello, 1, NULL, NULL, 0) < 0)) {
		close(line.fd);
		line.fd = -1;
	}
}

int attached_outside(void) { return attached_inside == 0 && served; }

// attached_call returns PASSED when there is nobody at the other end. The child of a process that has
// used the driver cannot use it.
int attached_call(enum attached_request r, const struct wire_part *parts, int nparts, struct attached_subject *s, uint64_t *reply, int count) {
	int status = PASSED;
	pthread_mutex_lock(&line.lock);
	attached_inside++;
	if (line.owner == 0) {
		line.owner = getpid();
		dial();
	}
	if (line.owner == getpid() && line.fd >= 0 && (status = exchange(r, parts, nparts, s, reply, count)) < 0) {
		close(line.fd);
		line.fd = -1;
		status = PASSED;
	}
	attached_inside--;
	pthread_mutex_unlock(&line.lock);
	return status;
}
