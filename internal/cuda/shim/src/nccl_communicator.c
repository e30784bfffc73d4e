// NCCL of one rank (NCCL API): communicators, and collective operations, each of which is a copy. Communicators of more ranks need
// more devices than there are.
#include "library.h"

#include <stdlib.h>

typedef int ncclResult_t;
typedef struct library_handle *ncclComm_t;
typedef struct {
	char bytes[128];
} ncclUniqueId;

enum { ncclSuccess = 0, ncclUnhandledCudaError = 1, ncclInternalError = 3, ncclInvalidArgument = 4, ncclInvalidUsage = 5 };

static const char *const texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error", "invalid argument", "invalid usage", "remote process exited or there was a network error", "in progress"};
EXPORT const char *ncclGetErrorString(ncclResult_t result) { return result >= 0 && result < (int)(sizeof texts / sizeof *texts) ? texts[result] : "unknown result code"; }
EXPORT const char *ncclGetLastError(ncclComm_t c) { return (void)c, ""; }

static ncclResult_t failed(ncclResult_t result) {
	static const char *const names[] = {"", "ncclUnhandledCudaError", "ncclSystemError", "ncclInternalError", "ncclInvalidArgument", "ncclInvalidUsage"};
	wire_failed(result, names[result], texts[result]);
	return result;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return ncclSuccess;
	case WIRE_INVALID_VALUE: case WIRE_INVALID_HANDLE: return failed(ncclInvalidArgument);
	case WIRE_NOT_SUPPORTED: return ncclInternalError;
	default: return failed(ncclUnhandledCudaError);
	}
}

EXPORT ncclResult_t ncclGetVersion(int *version) {
	enum { VERSION = 22000 }; // 2.20.0
	*version = VERSION;
	return ncclSuccess;
}

EXPORT ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
	memset(id, 0, sizeof *id);
	return ncclSuccess;
}

static ncclResult_t create(ncclComm_t *out, int ranks, int rank) {
	*out = NULL;
	if (ranks < 1 || rank < 0 || rank >= ranks)
		return failed(ncclInvalidArgument);
	if (ranks > 1)
		return library_status(wire_missing(LIBRARY, "a communicator of more than one rank"));
	*out = calloc(1, sizeof **out);
	return *out == NULL ? ncclInternalError : library_status(wire_ready());
}
EXPORT ncclResult_t ncclCommInitRank(ncclComm_t *c, int ranks, ncclUniqueId id, int rank) { return (void)id, create(c, ranks, rank); }
EXPORT ncclResult_t ncclCommInitRankConfig(ncclComm_t *c, int ranks, ncclUniqueId id, int rank, void *config) { return (void)id, (void)config, create(c, ranks, rank); }
EXPORT ncclResult_t ncclCommInitAll(ncclComm_t *c, int devices, const int *list) {
	return devices == 1 && list != NULL && list[0] != 0 ? failed(ncclInvalidArgument) : create(c, devices, 0);
}

EXPORT ncclResult_t ncclCommDestroy(ncclComm_t c) {
	free(c);
	return ncclSuccess;
}
SAME_AS(ncclCommDestroy) ncclResult_t ncclCommAbort(ncclComm_t c);
EXPORT ncclResult_t ncclCommFinalize(ncclComm_t c) { return c == NULL ? failed(ncclInvalidArgument) : ncclSuccess; }

// ANSWER defines a function that says something of a communicator.
#define ANSWER(name, value)                                 \
	EXPORT ncclResult_t name(const ncclComm_t c, int *out) { \
		if (c == NULL || out == NULL)                       \
			return failed(ncclInvalidArgument);             \
		*out = value;                                       \
		return ncclSuccess;                                 \
	}
ANSWER(ncclCommCount, 1)
ANSWER(ncclCommUserRank, 0)
ANSWER(ncclCommCuDevice, 0)
ANSWER(ncclCommGetAsyncError, ncclSuccess)

EXPORT ncclResult_t ncclMemAlloc(void **out, size_t size) {
	uint64_t address = 0;
	int error = wire_alloc(size, WIRE_DEVICE_MEMORY, &address);
	*out = (void *)address;
	return library_status(error);
}
EXPORT ncclResult_t ncclMemFree(void *p) { return library_status(p == NULL ? WIRE_OK : wire_free((uint64_t)p)); }
EXPORT ncclResult_t ncclCommRegister(const ncclComm_t c, void *p, size_t size, void **out) {
	(void)size;
	*out = p;
	return c == NULL ? failed(ncclInvalidArgument) : ncclSuccess;
}
EXPORT ncclResult_t ncclCommDeregister(const ncclComm_t c, void *p) { return (void)p, c == NULL ? failed(ncclInvalidArgument) : ncclSuccess; }

// copies makes an operation of a copy of count elements (ncclDataType_t).
static ncclResult_t copies(const char *name, const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) {
	static const unsigned char sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
	if (c == NULL || root != 0 || type < 0 || type >= (int)sizeof sizes || count > SIZE_MAX / 8)
		return failed(ncclInvalidArgument);
	struct library_handle h = {.stream = s};
	const struct library_argument list[] = {library_pointer(from), library_pointer(to), library_value(count * sizes[type])};
	return library_status(library_call(&h, name, list, 3));
}

// reduces is copies for an operation (ncclRedOp_t) of the library's own: each is the identity of one rank.
static ncclResult_t reduces(const char *name, const void *from, void *to, size_t count, int type, int op, int root, ncclComm_t c, struct stream *s) {
	enum { OPERATIONS = 5 };
	if (op < 0 || op >= OPERATIONS)
		return library_status(wire_missing(LIBRARY, "a reduction that the application defines"));
	return copies(name, from, to, count, type, root, c, s);
}

EXPORT ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, int type, int op, ncclComm_t c, struct stream *s) { return reduces("ncclAllReduce", from, to, count, type, op, 0, c, s); }
EXPORT ncclResult_t ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, ncclComm_t c, struct stream *s) { return reduces("ncclReduce", from, to, count, type, op, root, c, s); }
EXPORT ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, ncclComm_t c, struct stream *s) { return reduces("ncclReduceScatter", from, to, count, type, op, 0, c, s); }
EXPORT ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return copies("ncclBroadcast", from, to, count, type, root, c, s); }
EXPORT ncclResult_t ncclBcast(void *data, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return copies("ncclBcast", data, data, count, type, root, c, s); }
EXPORT ncclResult_t ncclAllGather(const void *from, void *to, size_t count, int type, ncclComm_t c, struct stream *s) { return copies("ncclAllGather", from, to, count, type, 0, c, s); }
EXPORT ncclResult_t ncclAlltoAll(const void *from, void *to, size_t count, int type, ncclComm_t c, struct stream *s) { return copies("ncclAlltoAll", from, to, count, type, 0, c, s); }
EXPORT ncclResult_t ncclGather(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return copies("ncclGather", from, to, count, type, root, c, s); }
EXPORT ncclResult_t ncclScatter(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return copies("ncclScatter", from, to, count, type, root, c, s); }

// A group: what the rank sends to itself is received in the same group, in the order of both. Other operations need no group.
static __thread int depth;
static __thread struct transfer {
	const void *from;
	void *to;
	size_t count;
	int type;
	ncclComm_t comm;
	struct stream *stream;
	struct transfer *next;
} *sent, *received;

static ncclResult_t later(struct transfer **list, struct transfer t, int peer) {
	if (t.comm == NULL || peer != 0)
		return failed(ncclInvalidArgument);
	if (depth == 0) // a GPU would wait for the other half for ever
		return failed(ncclInvalidUsage);
	struct transfer *own = malloc(sizeof *own);
	if (own == NULL)
		return ncclInternalError;
	while (*list != NULL)
		list = &(*list)->next;
	*own = t, *list = own;
	return ncclSuccess;
}

EXPORT ncclResult_t ncclSend(const void *from, size_t count, int type, int peer, ncclComm_t c, struct stream *s) {
	return later(&sent, (struct transfer){.from = from, .count = count, .type = type, .comm = c, .stream = s}, peer);
}
EXPORT ncclResult_t ncclRecv(void *to, size_t count, int type, int peer, ncclComm_t c, struct stream *s) {
	return later(&received, (struct transfer){.to = to, .count = count, .type = type, .comm = c, .stream = s}, peer);
}

EXPORT ncclResult_t ncclGroupStart(void) {
	depth++;
	return ncclSuccess;
}

EXPORT ncclResult_t ncclGroupEnd(void) {
	ncclResult_t result = ncclSuccess;
	if (depth == 0)
		return failed(ncclInvalidUsage);
	if (--depth > 0)
		return ncclSuccess;
	while (sent != NULL || received != NULL) {
		struct transfer *a = sent, *b = received;
		if (result == ncclSuccess && (a == NULL || b == NULL || a->count != b->count || a->type != b->type || a->comm != b->comm))
			result = failed(ncclInvalidUsage);
		if (result == ncclSuccess)
			result = copies("ncclRecv", a->from, b->to, b->count, b->type, 0, b->comm, b->stream);
		sent = a == NULL ? NULL : a->next, received = b == NULL ? NULL : b->next;
		free(a), free(b);
	}
	return result;
}
