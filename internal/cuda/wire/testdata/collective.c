// A program of the runtime API that uses NCCL on several devices, with a line for each case, or the case that its arguments name.
#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef void *stream_t;
typedef void *comm_t;
typedef struct {
	char bytes[128];
} ncclUniqueId;
int cudaSetDevice(int), cudaGetDevice(int *), cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaMemsetAsync(void *, int, size_t, stream_t), cudaMemset(void *, int, size_t);
int cudaStreamCreateWithFlags(stream_t *, unsigned), cudaStreamSynchronize(stream_t), cudaDeviceSynchronize(void), cudaEventCreate(void **), cudaEventRecord(void *, stream_t), cudaStreamWaitEvent(stream_t, void *, unsigned);
int cudaStreamBeginCapture(stream_t, int), cudaStreamEndCapture(stream_t, void **), cudaGraphInstantiate(void **, void *, unsigned long long), cudaGraphLaunch(void *, stream_t), cudaStreamQuery(stream_t), cudaGetLastError(void);
int ncclGetUniqueId(ncclUniqueId *), ncclCommInitRank(comm_t *, int, ncclUniqueId, int), ncclCommInitAll(comm_t *, int, const int *), ncclCommDestroy(comm_t), ncclCommAbort(comm_t), ncclCommSplit(comm_t, int, int, comm_t *, void *);
int ncclCommCount(comm_t, int *), ncclCommUserRank(comm_t, int *), ncclCommCuDevice(comm_t, int *), ncclCommGetAsyncError(comm_t, int *), ncclGroupStart(void), ncclGroupEnd(void);
int ncclAllReduce(const void *, void *, size_t, int, int, comm_t, stream_t), ncclReduce(const void *, void *, size_t, int, int, int, comm_t, stream_t), ncclReduceScatter(const void *, void *, size_t, int, int, comm_t, stream_t);
int ncclBroadcast(const void *, void *, size_t, int, int, comm_t, stream_t), ncclBcast(void *, size_t, int, int, comm_t, stream_t), ncclAllGather(const void *, void *, size_t, int, comm_t, stream_t), ncclAlltoAll(const void *, void *, size_t, int, comm_t, stream_t);
int ncclGather(const void *, void *, size_t, int, int, comm_t, stream_t), ncclScatter(const void *, void *, size_t, int, int, comm_t, stream_t), ncclSend(const void *, size_t, int, int, comm_t, stream_t), ncclRecv(void *, size_t, int, int, comm_t, stream_t);
int ncclRedOpCreatePreMulSum(int *, void *, int, int, comm_t), ncclRedOpDestroy(int, comm_t);

enum { N = 3, SIZE = 6, INT = 2, FLOAT = 7, SUM = 0, MAX = 2, AVG = 4 };

static comm_t comms[N];
static stream_t streams[N];
static int *from[N], *to[N];

// start makes the communicators, a stream for each, and memory, in which rank r has 100 r + 1, 100 r + 2, ...
static void start(void) {
	MUST(ncclCommInitAll(comms, N, NULL));
	for (int r = 0; r < N; r++) {
		int values[SIZE];
		for (int i = 0; i < SIZE; i++)
			values[i] = 100 * r + i + 1;
		MUST(cudaSetDevice(r));
		MUST(cudaStreamCreateWithFlags(&streams[r], 1));
		MUST(cudaMalloc((void **)&from[r], sizeof values));
		MUST(cudaMalloc((void **)&to[r], sizeof values));
		MUST(cudaMemcpy(from[r], values, sizeof values, 1));
		MUST(cudaMemset(to[r], 0, sizeof values));
		MUST(cudaDeviceSynchronize());
	}
}

// result is a number made of the first n elements that a rank has received, which are set to 0.
static long result(int r, int n) {
	int values[SIZE];
	long all = 0;
	MUST(cudaSetDevice(r));
	MUST(cudaStreamSynchronize(streams[r]));
	MUST(cudaMemcpy(values, to[r], sizeof values, 2));
	MUST(cudaMemset(to[r], 0, sizeof values));
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++)
		all = 1000 * all + values[i];
	return all;
}

// EACH calls a function for each rank r in one group.
#define EACH(call)                  \
	do {                            \
		MUST(ncclGroupStart());     \
		for (int r = 0; r < N; r++) \
			MUST(call);             \
		MUST(ncclGroupEnd());       \
	} while (0)

static void functions(void) {
	EACH(ncclAllReduce(from[r], to[r], 2, INT, SUM, comms[r], streams[r]));
	equal("all-reduce", result(0, 2) == 303306 && result(2, 2) == 303306, 1);
	EACH(ncclReduce(from[r], to[r], 2, INT, MAX, 1, comms[r], streams[r]));
	equal("reduce", result(0, 2) == 0 && result(1, 2) == 201202, 1);
	EACH(ncclReduceScatter(from[r], to[r], 2, INT, AVG, comms[r], streams[r]));
	equal("reduce-scatter", result(0, 2) == 101102 && result(2, 2) == 105106, 1);
	EACH(ncclBroadcast(from[r], to[r], 2, INT, 2, comms[r], streams[r]));
	equal("broadcast", result(0, 2) == 201202 && result(2, 2) == 201202, 1);
	EACH(ncclAllGather(from[r], to[r], 2, INT, comms[r], streams[r]));
	equal("all-gather", result(1, 6) == 1002101102201202, 1);
	EACH(ncclAlltoAll(from[r], to[r], 2, INT, comms[r], streams[r]));
	equal("all-to-all", result(1, 6) == 3004103104203204, 1);
	EACH(ncclGather(from[r], to[r], 2, INT, 0, comms[r], streams[r]));
	equal("gather", result(0, 6) == 1002101102201202 && result(1, 6) == 0, 1);
	EACH(ncclScatter(from[r], to[r], 2, INT, 0, comms[r], streams[r]));
	equal("scatter", result(0, 2) == 1002 && result(2, 2) == 5006, 1);
	MUST(ncclGroupStart());
	for (int r = 0; r < N; r++) {
		MUST(ncclSend(from[r], 1, INT, (r + 1) % N, comms[r], streams[r]));
		MUST(ncclSend(from[r] + 1, 1, INT, (r + 1) % N, comms[r], streams[r]));
		MUST(ncclRecv(to[r], 1, INT, (r + 2) % N, comms[r], streams[r]));
		MUST(ncclRecv(to[r] + 1, 1, INT, (r + 2) % N, comms[r], streams[r]));
	}
	MUST(ncclGroupEnd());
	equal("ring", result(0, 2) == 201202 && result(1, 2) == 1002 && result(2, 2) == 101102, 1);
	for (int r = 0; r < N; r++) // without a group
		MUST(ncclBcast(r == 1 ? from[r] : to[r], 1, INT, 1, comms[r], streams[r]));
	EACH(ncclAllReduce(from[r], to[r] + 1, 1, INT, SUM, comms[r], NULL)); // in the default stream of each device
	equal("in place", result(0, 2) == 101303 && result(1, 2) == 303 && result(2, 2) == 101303, 1);
}

static void scaled(void) {
	int ops[N], scales[N] = {1, 10, 2}, *device;
	MUST(cudaSetDevice(2));
	MUST(cudaMalloc((void **)&device, sizeof(int)));
	MUST(cudaMemcpy(device, &scales[2], sizeof(int), 1));
	MUST(cudaDeviceSynchronize());
	for (int r = 0; r < N; r++)
		MUST(ncclRedOpCreatePreMulSum(&ops[r], r < 2 ? &scales[r] : device, INT, r < 2, comms[r]));
	scales[1] = 1000;
	EACH(ncclAllReduce(from[r], to[r], 1, INT, ops[r], comms[r], streams[r]));
	equal("scaled", result(0, 1), 1 + 10 * 101 + 2 * 201);
	result(1, 1), result(2, 1);
	MUST(ncclRedOpDestroy(ops[0], comms[0]));
	equal("destroyed reduction", ncclAllReduce(from[0], to[0], 1, INT, ops[0], comms[0], streams[0]), 4);
}

static void divided(void) {
	comm_t parts[N];
	int count, rank, device, error;
	MUST(ncclGroupStart());
	for (int r = 0; r < N; r++)
		MUST(ncclCommSplit(comms[r], r == 1 ? -1 : 7, -r, &parts[r], NULL));
	MUST(ncclGroupEnd());
	MUST(ncclCommCount(parts[2], &count));
	MUST(ncclCommUserRank(parts[2], &rank));
	MUST(ncclCommCuDevice(parts[2], &device));
	MUST(ncclCommGetAsyncError(parts[2], &error));
	equal("split", parts[1] == NULL && count == 2 && rank == 0 && device == 2 && error == 0, 1);
	MUST(ncclGroupStart());
	MUST(ncclBroadcast(from[0], to[0], 1, INT, 0, parts[0], streams[0]));
	MUST(ncclBroadcast(from[2], to[2], 1, INT, 0, parts[2], streams[2]));
	MUST(ncclGroupEnd());
	equal("ranks by keys", result(0, 1), 201);
	MUST(ncclCommDestroy(parts[0]));
	MUST(ncclCommDestroy(parts[2]));
}

// captured launches a graph of a collective operation twice.
static void captured(void) {
	void *graphs[N], *execs[N];
	for (int r = 0; r < N; r++) {
		result(r, 0);
		MUST(cudaStreamBeginCapture(streams[r], 2));
	}
	EACH(ncclAllReduce(to[r], to[r], 1, INT, SUM, comms[r], streams[r]));
	for (int r = 0; r < N; r++) {
		MUST(cudaSetDevice(r));
		MUST(cudaMemcpy(to[r], from[r], sizeof(int), 3));
		MUST(cudaDeviceSynchronize());
		MUST(cudaStreamEndCapture(streams[r], &graphs[r]));
		MUST(cudaGraphInstantiate(&execs[r], graphs[r], 0));
	}
	for (int i = 0; i < 2; i++)
		for (int r = 0; r < N; r++) {
			MUST(cudaSetDevice(r));
			MUST(cudaGraphLaunch(execs[r], streams[r]));
		}
	equal("graph", result(1, 1), 3 * 303);
}

// One thread for each rank.
static ncclUniqueId id;
static int sums[2];

static void *of_rank(void *number) {
	int r = (int)(size_t)number, value[2] = {r + 1, 10 * r}, *memory;
	comm_t c;
	MUST(cudaSetDevice(r));
	MUST(cudaMalloc((void **)&memory, sizeof value));
	MUST(cudaMemcpy(memory, value, sizeof value, 1));
	MUST(ncclCommInitRank(&c, 2, id, r));
	MUST(ncclAllReduce(memory, memory, 2, INT, SUM, c, NULL)); // in the default stream of the device
	MUST(cudaStreamSynchronize(NULL));
	MUST(cudaMemcpy(value, memory, sizeof value, 2));
	sums[r] = 100 * value[0] + value[1];
	MUST(ncclCommDestroy(c));
	return NULL;
}

static void threads(void) {
	pthread_t other[2];
	MUST(ncclGetUniqueId(&id));
	for (size_t r = 0; r < 2; r++)
		pthread_create(&other[r], NULL, of_rank, (void *)r);
	for (int r = 0; r < 2; r++)
		pthread_join(other[r], NULL);
	equal("threads", sums[0] == 310 && sums[1] == 310, 1);
}

static void refused(void) {
	comm_t twice[2];
	int list[] = {1, 1}, beyond[] = {0, N};
	equal("one device twice", ncclCommInitAll(twice, 2, list), 4);
	equal("no such device", ncclCommInitAll(twice, 2, beyond), 4);
	equal("no such root", ncclBroadcast(from[0], to[0], 1, INT, N, comms[0], streams[0]), 4);
	equal("no such type", ncclBroadcast(from[0], to[0], 1, 12, 0, comms[0], streams[0]), 4);
	equal("too many", ncclBroadcast(from[0], to[0], (size_t)1 << 62, INT, 0, comms[0], streams[0]), 4);
	equal("stream of another device", ncclBroadcast(from[0], to[0], 1, INT, 0, comms[0], streams[1]), 4);
	MUST(ncclGroupStart());
	MUST(ncclAllReduce(from[0], to[0], 1, INT, SUM, comms[0], streams[0]));
	equal("in a group", ncclAllReduce(from[1], to[1], 1, INT, -1, comms[1], streams[1]), 4);
	equal("the group", ncclGroupEnd(), 4);
	equal("nothing waits", cudaStreamQuery(streams[0]), 0);
}

// Races: what the argument leaves out is the order of a fill and the operation.

static void order_after(int r, stream_t first, stream_t second, int racy) {
	void *event;
	MUST(cudaSetDevice(r));
	MUST(cudaEventCreate(&event));
	MUST(cudaEventRecord(event, first));
	if (!racy)
		MUST(cudaStreamWaitEvent(second, event, 0));
}

static stream_t second_stream(int r) {
	stream_t s;
	MUST(cudaSetDevice(r));
	MUST(cudaStreamCreateWithFlags(&s, 1));
	return s;
}

// What is sent is written in another stream.
static void sent(int racy) {
	stream_t s = second_stream(1);
	MUST(cudaMemsetAsync(from[1], 1, 8, s));
	order_after(1, s, streams[1], racy);
	EACH(ncclAllReduce(from[r], to[r], 2, INT, SUM, comms[r], streams[r]));
}

// What is received is used in another stream.
static void received(int racy) {
	stream_t s = second_stream(0);
	EACH(ncclAllGather(from[r], to[r], 2, INT, comms[r], streams[r]));
	order_after(0, streams[0], s, racy);
	MUST(cudaMemsetAsync(to[0] + 4, 1, 8, s));
}

// A rank's memory is written by another rank's stream, after an operation by which that follows its use, or does not: the
// sender of a broadcast does not wait for who receives.
static void follows(int racy) {
	MUST(cudaMemsetAsync(from[1], 1, 8, streams[1]));
	if (racy)
		EACH(ncclBroadcast(to[r], to[r], 2, INT, 0, comms[r], streams[r]));
	else
		EACH(ncclAllReduce(to[r], to[r], 2, INT, SUM, comms[r], streams[r]));
	MUST(cudaMemsetAsync(from[1], 2, 8, streams[0]));
}

// Of two streams in one group, the second follows the operation, too.
static void grouped(int racy) {
	stream_t s = second_stream(0);
	MUST(ncclGroupStart());
	for (int r = 0; r < N; r++) {
		MUST(ncclAllReduce(from[r], to[r], 1, INT, SUM, comms[r], streams[r]));
		MUST(ncclAllReduce(from[r] + 1, to[r] + 1, 1, INT, SUM, comms[r], r == 0 && !racy ? s : streams[r]));
	}
	MUST(ncclGroupEnd());
	MUST(cudaMemsetAsync(to[0], 1, 8, s));
}

// Operations that cannot end.

// Two of three ranks call.
static void lacking(int racy) {
	(void)racy;
	for (int r = 0; r < 2; r++)
		MUST(ncclAllReduce(from[r], to[r], 1, INT, SUM, comms[r], streams[r]));
	MUST(cudaMemsetAsync(to[0], 1, 4, streams[0]));
	equal("wait", cudaStreamSynchronize(streams[0]), 702);
	equal("afterwards", result(0, 1), 0x01010101);
}

// Ranks call functions in different orders.
static void crossed(int racy) {
	(void)racy;
	MUST(ncclSend(from[0], 1, INT, 1, comms[0], streams[0]));
	MUST(ncclRecv(to[0], 1, INT, 1, comms[0], streams[0]));
	MUST(ncclSend(from[1], 1, INT, 0, comms[1], streams[1]));
	MUST(ncclRecv(to[1], 1, INT, 0, comms[1], streams[1]));
	equal("wait", cudaStreamSynchronize(streams[1]), 702);
}

// Calls that meet do not fit each other.
static void mismatched(int racy) {
	(void)racy;
	EACH(ncclAllReduce(from[r], to[r], r == 1 ? 2 : 1, INT, SUM, comms[r], streams[r]));
	equal("wait", cudaStreamSynchronize(streams[1]), 702);
}

static void unlike(int racy) {
	(void)racy;
	MUST(ncclGroupStart());
	MUST(ncclSend(from[0], 1, INT, 1, comms[0], streams[0]));
	MUST(ncclRecv(to[1], 1, FLOAT, 0, comms[1], streams[1]));
	MUST(ncclGroupEnd());
	equal("wait", cudaStreamSynchronize(streams[0]), 702);
	MUST(ncclAllReduce(from[0], to[0], 1, INT, SUM, comms[0], streams[0])); // of a rank that has failed
	equal("wait again", cudaStreamSynchronize(streams[0]), 702);
}

// A rank leaves that others wait for.
static void deserted(int racy) {
	(void)racy;
	MUST(ncclAllReduce(from[0], to[0], 1, INT, SUM, comms[0], streams[0]));
	MUST(ncclAllReduce(from[2], to[2], 1, INT, SUM, comms[2], streams[2]));
	MUST(ncclCommAbort(comms[2]));
	MUST(ncclCommDestroy(comms[1]));
	equal("wait", cudaStreamSynchronize(streams[0]), 702);
	MUST(cudaStreamSynchronize(streams[2]));
}

// Memory that is none, of one rank.
static void outside(int racy) {
	(void)racy;
	EACH(ncclAllReduce(from[r], r == 1 ? to[r] + 5 : to[r], 2, INT, SUM, comms[r], streams[r]));
	equal("wait", cudaStreamSynchronize(streams[0]), 700);
}

static const struct {
	const char *name;
	void (*run)(int racy);
} cases[] = {{"sent", sent}, {"received", received}, {"follows", follows}, {"grouped", grouped}, {"lacking", lacking}, {"crossed", crossed}, {"mismatched", mismatched}, {"unlike", unlike}, {"deserted", deserted}, {"outside", outside}};

int main(int argc, char **argv) {
	start();
	for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
		if (strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run(argc > 2 && strcmp(argv[2], "racy") == 0);
			puts("done");
			return 0;
		}
	functions();
	scaled();
	divided();
	captured();
	threads();
	refused();
	for (int r = 0; r < N; r++)
		MUST(ncclCommDestroy(comms[r]));
	puts("done");
	return 0;
}
