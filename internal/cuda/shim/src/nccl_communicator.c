// Communicators of NCCL (NCCL API), groups, and operations, which the other end executes (internal/cuda/collective.go).
#include "library.h"

#include <stdlib.h>

typedef int ncclResult_t;
typedef struct {
	char bytes[128]; // the first ones are a number
} ncclUniqueId;

enum { ncclSuccess = 0, ncclUnhandledCudaError = 1, ncclInternalError = 3, ncclInvalidArgument = 4, ncclInvalidUsage = 5, ncclRemoteError = 6, ncclInProgress = 7 };

// What a request does (internal/cuda/wire/collective.go), and the state of a communicator.
enum step { STEP_ID, STEP_JOIN, STEP_SPLIT, STEP_STATE, STEP_READY, STEP_DESTROY, STEP_ABORT, STEP_CALL };
struct state {
	uint32_t ready, ranks, rank, device;
};

// Functions that communicate, and ncclRedOp_t of those that ncclRedOpCreatePreMulSum makes.
enum function { ALL_REDUCE, REDUCE, REDUCE_SCATTER, BROADCAST, ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER, SEND, RECV };
enum { PRE_MUL_SUM = 5, TYPES = 12 };

// A reduction that the application has made.
struct scale {
	int used;
	uint64_t value, on_device;
};

typedef struct communicator {
	uint64_t handle;
	struct state state;
	struct scale *scales;
	int nscales;
} *ncclComm_t;

static const char *const texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error", "invalid argument", "invalid usage", "remote process exited or there was a network error", "in progress"};
EXPORT const char *ncclGetErrorString(ncclResult_t result) { return result >= 0 && result < (int)(sizeof texts / sizeof *texts) ? texts[result] : "unknown result code"; }
EXPORT const char *ncclGetLastError(ncclComm_t c) { return (void)c, ""; }

static ncclResult_t failed(ncclResult_t result) {
	static const char *const names[] = {"", "ncclUnhandledCudaError", "ncclSystemError", "ncclInternalError", "ncclInvalidArgument", "ncclInvalidUsage", "ncclRemoteError"};
	wire_failed(result, names[result], texts[result]);
	return result;
}

int library_status(int error) {
	enum { TIMEOUT = 702 };
	switch (error) {
	case WIRE_OK: return ncclSuccess;
	case WIRE_INVALID_VALUE: case WIRE_INVALID_HANDLE: return failed(ncclInvalidArgument);
	case WIRE_NOT_SUPPORTED: return ncclInternalError;
	case TIMEOUT: return failed(ncclRemoteError); // nobody is left who could be another rank
	default: return failed(ncclUnhandledCudaError);
	}
}

EXPORT ncclResult_t ncclGetVersion(int *version) {
	enum { VERSION = 22000 }; // 2.20.0
	*version = VERSION;
	return ncclSuccess;
}

// ask makes a request with up to two more words, and reads the reply.
static int ask(enum step what, uint64_t a, uint64_t b, void *reply, size_t size) {
	const uint64_t words[] = {what, a, b};
	struct wire_part part = {words, sizeof words};
	return wire_call(OP_COLLECTIVE, &part, 1, reply, size, NULL);
}

EXPORT ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
	uint64_t number = 0;
	int error = ask(STEP_ID, 0, 0, &number, sizeof number);
	memset(id, 0, sizeof *id);
	memcpy(id, &number, sizeof number);
	return library_status(error);
}

static __thread int depth; // of groups
static __thread ncclResult_t wrong; // the first error of a call in the group

// grow makes room for another element of a list.
static int grow(void **list, size_t n, size_t size) {
	if (n % 16 != 0)
		return 1;
	void *more = realloc(*list, (n + 16) * size);
	if (more != NULL)
		*list = more;
	return more != NULL;
}

// Communicators that the group makes, which wait for other ranks at its end.
static __thread ncclComm_t *made;
static __thread size_t nmade;

// made_ready waits for the other ranks of a communicator.
static ncclResult_t made_ready(ncclComm_t c) { return library_status(ask(STEP_READY, c->handle, 0, &c->state, sizeof c->state)); }

// new_communicator makes the communicator of a handle. Unless it blocks, other ranks may join later.
static ncclResult_t new_communicator(ncclComm_t *out, uint64_t handle, int device, int blocks) {
	ncclComm_t c = *out = calloc(1, sizeof **out);
	if (c == NULL || !grow((void **)&made, nmade, sizeof *made))
		return ncclInternalError;
	c->handle = handle, c->state.device = device;
	if (!blocks)
		return ncclInProgress;
	if (depth == 0)
		return made_ready(c);
	made[nmade++] = c;
	return ncclSuccess;
}

// ncclConfig_t as far as it is used.
struct config {
	size_t size;
	unsigned magic, version;
	int blocking;
};

static int blocks(const struct config *config) { return config == NULL || config->blocking != 0; }

static ncclResult_t create(ncclComm_t *out, int ranks, const ncclUniqueId *id, int rank, const struct config *config) {
	uint64_t number, handle = 0;
	if (out == NULL)
		return failed(ncclInvalidArgument);
	*out = NULL;
	if (ranks < 1 || rank < 0 || rank >= ranks)
		return failed(ncclInvalidArgument);
	if (ranks > 1)
		wire_orders();
	memcpy(&number, id, sizeof number);
	int error = ask(STEP_JOIN, number, (uint64_t)rank << 32 | (uint32_t)ranks, &handle, sizeof handle);
	return error != WIRE_OK ? library_status(error) : new_communicator(out, handle, (int)wire_current_device(), blocks(config));
}
EXPORT ncclResult_t ncclCommInitRank(ncclComm_t *c, int ranks, ncclUniqueId id, int rank) { return create(c, ranks, &id, rank, NULL); }
EXPORT ncclResult_t ncclCommInitRankConfig(ncclComm_t *c, int ranks, ncclUniqueId id, int rank, void *config) { return create(c, ranks, &id, rank, config); }
EXPORT ncclResult_t ncclCommInitRankScalable(ncclComm_t *c, int ranks, int rank, int n, ncclUniqueId *ids, void *config) {
	return n < 1 || ids == NULL ? failed(ncclInvalidArgument) : create(c, ranks, ids, rank, config);
}

static ncclResult_t leave(ncclComm_t c, enum step how) {
	if (c == NULL)
		return ncclSuccess;
	int error = ask(how, c->handle, 0, NULL, 0);
	free(c->scales);
	free(c);
	return library_status(error);
}

EXPORT ncclResult_t ncclGroupStart(void);
EXPORT ncclResult_t ncclGroupEnd(void);

EXPORT ncclResult_t ncclCommInitAll(ncclComm_t *c, int devices, const int *list) {
	int error;
	const struct wire_device *all = wire_device(&error);
	if (all == NULL)
		return library_status(error);
	for (int i = 0; i < devices; i++)
		if (list != NULL ? list[i] < 0 || list[i] >= (int)all->devices : devices > (int)all->devices)
			return failed(ncclInvalidArgument);
	ncclUniqueId id;
	ncclResult_t result = devices < 1 || c == NULL ? failed(ncclInvalidArgument) : ncclGetUniqueId(&id);
	uint32_t outer = wire_current_device();
	int i = 0;
	ncclGroupStart();
	for (; i < devices && result == ncclSuccess; i++) {
		wire_use_device(list == NULL ? i : list[i]);
		result = create(&c[i], devices, &id, i, NULL);
	}
	wire_use_device(outer);
	for (; result != ncclSuccess && i > 0; nmade -= nmade > 0)
		leave(c[--i], STEP_ABORT);
	ncclResult_t end = ncclGroupEnd();
	return result != ncclSuccess ? result : end;
}

EXPORT ncclResult_t ncclCommSplit(ncclComm_t c, int color, int key, ncclComm_t *out, void *config) {
	struct {
		uint64_t step, handle;
		int32_t color, key;
	} request = {STEP_SPLIT, c == NULL ? 0 : c->handle, color, key};
	struct wire_part part = {&request, sizeof request};
	uint64_t handle = 0;
	if (c == NULL || out == NULL)
		return failed(ncclInvalidArgument);
	*out = NULL;
	int error = wire_call(OP_COLLECTIVE, &part, 1, &handle, sizeof handle, NULL);
	if (error != WIRE_OK || handle == 0)
		return library_status(error);
	return new_communicator(out, handle, c->state.device, blocks(config));
}

EXPORT ncclResult_t ncclCommDestroy(ncclComm_t c) { return leave(c, STEP_DESTROY); }
EXPORT ncclResult_t ncclCommAbort(ncclComm_t c) { return leave(c, STEP_ABORT); }
EXPORT ncclResult_t ncclCommFinalize(ncclComm_t c) { return c == NULL ? failed(ncclInvalidArgument) : ncclSuccess; }

// ANSWER defines a function that says something of a communicator.
#define ANSWER(name, member)                                \
	EXPORT ncclResult_t name(const ncclComm_t c, int *out) { \
		if (c == NULL || out == NULL)                       \
			return failed(ncclInvalidArgument);             \
		*out = (int)c->state.member;                        \
		return ncclSuccess;                                 \
	}
ANSWER(ncclCommCount, ranks)
ANSWER(ncclCommUserRank, rank)
ANSWER(ncclCommCuDevice, device)

EXPORT ncclResult_t ncclCommGetAsyncError(ncclComm_t c, ncclResult_t *out) {
	if (c == NULL || out == NULL)
		return failed(ncclInvalidArgument);
	int error = c->state.ready ? WIRE_OK : ask(STEP_STATE, c->handle, 0, &c->state, sizeof c->state);
	*out = error != WIRE_OK ? ncclInternalError : c->state.ready ? ncclSuccess : ncclInProgress;
	return ncclSuccess;
}

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

EXPORT ncclResult_t ncclRedOpCreatePreMulSum(int *op, void *scalar, int type, int on_host, ncclComm_t c) {
	static const unsigned char sizes[TYPES] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
	if (op == NULL || scalar == NULL || c == NULL || type < 0 || type >= TYPES)
		return failed(ncclInvalidArgument);
	int i = 0;
	while (i < c->nscales && c->scales[i].used)
		i++;
	if (i == c->nscales && !grow((void **)&c->scales, i, sizeof *c->scales))
		return ncclInternalError;
	c->nscales += i == c->nscales;
	c->scales[i] = (struct scale){1, (uint64_t)scalar, !on_host};
	if (on_host) {
		c->scales[i].value = 0;
		memcpy(&c->scales[i].value, scalar, sizes[type]);
	}
	*op = PRE_MUL_SUM + i;
	return ncclSuccess;
}

// scale_of is what an operation that the application has made is scaled by, null for none.
static struct scale *scale_of(ncclComm_t c, int op) {
	int i = op - PRE_MUL_SUM;
	return i >= 0 && i < c->nscales && c->scales[i].used ? &c->scales[i] : NULL;
}

EXPORT ncclResult_t ncclRedOpDestroy(int op, ncclComm_t c) {
	struct scale *s = c == NULL ? NULL : scale_of(c, op);
	if (s == NULL)
		return failed(ncclInvalidArgument);
	s->used = 0;
	return ncclSuccess;
}

// Operations of the group, in the order of the calls.
struct call { // as the other end reads it
	uint32_t function, type, op, peer;
	uint64_t from, to, count, scale, on_device;
};
static __thread struct operation {
	struct call call;
	ncclComm_t comm;
	struct stream *stream;
} *group;
static __thread size_t ngroup;

enum { MOST_CALLS = 800 }; // of a request

// across orders other streams before that of an operation, or after it.
static int across(const struct operation *first, const uint32_t *streams, size_t n, int before) {
	uint32_t one = library_stream(first->stream);
	int error = WIRE_OK;
	for (size_t i = 0; i < n && error == WIRE_OK; i++) {
		uint32_t event = wire_number();
		error = wire_order(ORDER_RECORD, before ? streams[i] : one, event);
		if (error == WIRE_OK)
			error = wire_order(ORDER_WAIT, before ? one : streams[i], event);
		wire_order(ORDER_END_EVENT, 0, event);
	}
	return error;
}

// request makes a request of n parts, or a node of the graph that its stream captures.
static int request(uint32_t stream, const struct wire_part *parts, int n) {
	struct stream *capturing = wire_capturing(stream);
	return IN(stream, capturing != NULL ? capturing->request(capturing, OP_COLLECTIVE, parts, n) : wire_call(OP_COLLECTIVE, parts, n, NULL, 0, NULL));
}

// execute executes the operations of one communicator, which are one operation of the first one's stream. It takes them out of
// the group.
static ncclResult_t execute(void) {
	static __thread struct call calls[MOST_CALLS];
	uint32_t others[MOST_CALLS];
	const struct operation first = group[0];
	const uint64_t head[] = {STEP_CALL, first.comm->handle};
	size_t n = 0, nothers = 0, left = 0;
	uint32_t outer = wire_current_device();
	wire_use_device(first.comm->state.device); // whose default stream it is
	for (size_t i = 0; i < ngroup; i++) {
		if (group[i].comm != first.comm || n == MOST_CALLS) {
			group[left++] = group[i];
			continue;
		}
		calls[n++] = group[i].call;
		uint32_t stream = library_stream(group[i].stream);
		size_t known = 0;
		while (known < nothers && others[known] != stream)
			known++;
		if (stream != library_stream(first.stream) && known == nothers)
			others[nothers++] = stream;
	}
	ngroup = left;
	struct wire_part parts[] = {{head, sizeof head}, {calls, n * sizeof *calls}};
	int error = nothers > 0 && wire_capturing(library_stream(first.stream)) != NULL ? wire_missing(LIBRARY, "a group in several streams, one of which is captured") : WIRE_OK;
	if (error == WIRE_OK)
		error = across(&first, others, nothers, 1);
	if (error == WIRE_OK)
		error = request(library_stream(first.stream), parts, 2);
	if (error == WIRE_OK)
		error = across(&first, others, nothers, 0);
	wire_use_device(outer);
	return library_status(error);
}

EXPORT ncclResult_t ncclGroupStart(void) {
	depth++;
	return ncclSuccess;
}

EXPORT ncclResult_t ncclGroupEnd(void) {
	if (depth == 0)
		return failed(ncclInvalidUsage);
	if (--depth > 0)
		return ncclSuccess;
	ncclResult_t result = wrong;
	for (size_t i = 0; i < nmade && result == ncclSuccess; i++)
		result = made_ready(made[i]);
	while (ngroup > 0 && result == ncclSuccess)
		result = execute();
	nmade = ngroup = 0, wrong = ncclSuccess;
	return result;
}

// in_group notes a call that fails for its group, which fails as a whole.
static ncclResult_t in_group(ncclResult_t result) {
	if (depth > 0 && wrong == ncclSuccess)
		wrong = result;
	return result;
}

// communicate adds an operation to the group, or executes it without one.
static ncclResult_t communicate(enum function function, const void *from, void *to, size_t count, int type, int op, int peer, ncclComm_t c, struct stream *s) {
	struct call call = {function, type, op, peer, (uint64_t)from, (uint64_t)to, count, 0, 0};
	struct scale *scale = c != NULL && op >= PRE_MUL_SUM ? scale_of(c, op) : NULL;
	if (c == NULL || !c->state.ready || type < 0 || type >= TYPES || peer < 0 || peer >= (int)c->state.ranks || op < 0 || (op >= PRE_MUL_SUM && scale == NULL))
		return in_group(failed(ncclInvalidArgument));
	if (function >= SEND && depth == 0 && peer == (int)c->state.rank) // nobody could make the other call
		return failed(ncclInvalidUsage);
	if (scale != NULL)
		call.op = PRE_MUL_SUM, call.scale = scale->value, call.on_device = scale->on_device;
	if (!grow((void **)&group, ngroup, sizeof *group))
		return in_group(ncclInternalError);
	group[ngroup++] = (struct operation){call, c, s};
	return depth > 0 ? ncclSuccess : execute();
}

EXPORT ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, int type, int op, ncclComm_t c, struct stream *s) { return communicate(ALL_REDUCE, from, to, count, type, op, 0, c, s); }
EXPORT ncclResult_t ncclReduce(const void *from, void *to, size_t count, int type, int op, int root, ncclComm_t c, struct stream *s) { return communicate(REDUCE, from, to, count, type, op, root, c, s); }
EXPORT ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, int type, int op, ncclComm_t c, struct stream *s) { return communicate(REDUCE_SCATTER, from, to, count, type, op, 0, c, s); }
EXPORT ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return communicate(BROADCAST, from, to, count, type, 0, root, c, s); }
EXPORT ncclResult_t ncclBcast(void *data, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return communicate(BROADCAST, data, data, count, type, 0, root, c, s); }
EXPORT ncclResult_t ncclAllGather(const void *from, void *to, size_t count, int type, ncclComm_t c, struct stream *s) { return communicate(ALL_GATHER, from, to, count, type, 0, 0, c, s); }
EXPORT ncclResult_t ncclAlltoAll(const void *from, void *to, size_t count, int type, ncclComm_t c, struct stream *s) { return communicate(ALL_TO_ALL, from, to, count, type, 0, 0, c, s); }
EXPORT ncclResult_t ncclGather(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return communicate(GATHER, from, to, count, type, 0, root, c, s); }
EXPORT ncclResult_t ncclScatter(const void *from, void *to, size_t count, int type, int root, ncclComm_t c, struct stream *s) { return communicate(SCATTER, from, to, count, type, 0, root, c, s); }
EXPORT ncclResult_t ncclSend(const void *from, size_t count, int type, int peer, ncclComm_t c, struct stream *s) { return communicate(SEND, from, NULL, count, type, 0, peer, c, s); }
EXPORT ncclResult_t ncclRecv(void *to, size_t count, int type, int peer, ncclComm_t c, struct stream *s) { return communicate(RECV, NULL, to, count, type, 0, peer, c, s); }
