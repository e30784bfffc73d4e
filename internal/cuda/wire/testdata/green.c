// A program of both APIs with contexts that have a part of the device, and copies of several boxes in one call. With an argument,
// nothing orders the streams of a context and another stream.
#include "check.h"

#include <stdint.h>

typedef void *handle;
struct resource { int kind; char padding[92]; union { struct { unsigned count, least, alignment, flags; } sm; char room[40]; }; void *next; };
struct operand {
	int kind;
	union {
		struct { void *address; size_t row, height; int location[2]; } pointer;
		struct { handle array; size_t x, y, z; } array;
	};
};
struct box { struct operand from, to; size_t width, height, depth; int order; unsigned flags; };
struct array { size_t width, height; int format; unsigned channels; };
struct channel { int x, y, z, w, kind; };
enum { SM = 1, WORKQUEUES = 1000, NON_BLOCKING = 1, N = 64, POINTER = 1, ARRAY = 2, UINT8 = 1, STREAM = 1, INVALID_VALUE = 1, NOT_SUPPORTED = 801 };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuMemAlloc_v2(uint64_t *, size_t), cuMemsetD32Async(uint64_t, unsigned, size_t, handle), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuDeviceGetDevResource(int, struct resource *, int), cuDevSmResourceSplitByCount(struct resource *, unsigned *, const struct resource *, struct resource *, unsigned, unsigned), cuDevResourceGenerateDesc(handle *, struct resource *, unsigned);
int cuGreenCtxCreate(handle *, handle, int, unsigned), cuGreenCtxDestroy(handle), cuCtxFromGreenCtx(handle *, handle), cuGreenCtxStreamCreate(handle *, handle, unsigned, int), cuGreenCtxGetDevResource(handle, struct resource *, int), cuStreamGetGreenCtx(handle, handle *);
int cuGreenCtxRecordEvent(handle, handle), cuGreenCtxWaitEvent(handle, handle), cuCtxWaitEvent(handle, handle), cuEventCreate(handle *, unsigned), cuEventRecord(handle, handle), cuStreamCreate(handle *, unsigned), cuStreamWaitEvent(handle, handle, unsigned), cuStreamSynchronize(handle), cuCtxSynchronize(void);
int cuArrayCreate_v2(handle *, const struct array *), cuMemcpy3DBatchAsync_v2(size_t, struct box *, unsigned long long, handle), cuMemcpy3DBatchAsync(size_t, struct box *, size_t *, unsigned long long, handle);
int cudaMallocArray(handle *, const struct channel *, size_t, size_t, unsigned), cudaMemcpy3DBatchAsync(size_t, struct box *, unsigned long long, handle), cudaDeviceGetExecutionCtx(handle *, int), cudaExecutionCtxGetDevResource(handle, struct resource *, int), cudaExecutionCtxStreamCreate(handle *, handle, unsigned, int), cudaExecutionCtxSynchronize(handle);

static uint64_t data;

// contexts has operations in two streams of a green context, one of which was created while it was current, before and after those
// in another stream.
static void contexts(int racy) {
	struct resource all, groups[2], rest, got;
	unsigned n = 2;
	handle primary, description, green, current, first, second, third, other, event, later, of;
	MUST(cuDevicePrimaryCtxRetain(&primary, 0));
	MUST(cuCtxSetCurrent(primary));
	MUST(cuDeviceGetDevResource(0, &all, SM));
	equal("work queues", cuDeviceGetDevResource(0, &got, WORKQUEUES), NOT_SUPPORTED);
	MUST(cuDevSmResourceSplitByCount(groups, &n, &all, &rest, 0, all.sm.count / 2));
	equal("parts", n, 2);
	equal("what is left", rest.kind, 0);
	equal("a part that is too large", cuDevSmResourceSplitByCount(groups, &n, &all, &rest, 0, all.sm.count + 1), INVALID_VALUE);
	MUST(cuDevResourceGenerateDesc(&description, groups, 1));
	MUST(cuGreenCtxCreate(&green, description, 0, 0));
	MUST(cuGreenCtxGetDevResource(green, &got, SM));
	equal("the part of a context", got.sm.count, all.sm.count / 2);
	MUST(cuGreenCtxStreamCreate(&first, green, NON_BLOCKING, 0));
	MUST(cuStreamCreate(&other, NON_BLOCKING));
	MUST(cuCtxFromGreenCtx(&current, green));
	MUST(cuCtxSetCurrent(current));
	MUST(cuStreamCreate(&second, NON_BLOCKING));
	MUST(cuCtxSetCurrent(primary));
	MUST(cuStreamGetGreenCtx(second, &of));
	equal("the context of a stream", of == green, 1);
	MUST(cuStreamGetGreenCtx(other, &of));
	equal("a stream of the device", of == NULL, 1);
	MUST(cuEventCreate(&event, 0));
	MUST(cuEventCreate(&later, 0));
	MUST(cuMemsetD32Async(data, 1, N, first));
	MUST(cuMemsetD32Async(data + 4 * N, 2, N, second));
	if (!racy) {
		MUST(cuGreenCtxRecordEvent(green, event));
		MUST(cuStreamWaitEvent(other, event, 0));
	}
	MUST(cuMemsetD32Async(data, 3, 2 * N, other));
	MUST(cuEventRecord(later, other));
	MUST(cuCtxWaitEvent(current, later));
	MUST(cuGreenCtxStreamCreate(&third, green, NON_BLOCKING, 0));
	MUST(cuMemsetD32Async(data, 4, N, second));
	MUST(cuMemsetD32Async(data + 4 * N, 5, N, third));
	MUST(cuCtxSynchronize());
	unsigned host[2 * N];
	MUST(cuMemcpyDtoH_v2(host, data, sizeof host));
	equal("what the streams did", host[N - 1] * 10 + host[N], 45);
	MUST(cuGreenCtxDestroy(green));
	equal("a context that has been destroyed", cuGreenCtxGetDevResource(green, &got, SM), INVALID_VALUE);
}

// boxes copies a matrix to an array and a part of that back.
static void boxes(handle array, size_t element, int (*copy)(size_t, struct box *, unsigned long long, handle), handle stream) {
	unsigned char from[8 * 16], to[16] = {0};
	for (int i = 0; i < 8 * 16; i++)
		from[i] = i;
	struct box in = {{POINTER, {{from, 16 / element, 8, {0, 0}}}}, {ARRAY, {.array = {array, 0, 0, 0}}}, 8 / element, 8, 1, STREAM, 0};
	struct box out = {{ARRAY, {.array = {array, 4 / element, 2, 0}}}, {POINTER, {{to, 0, 0, {0, 0}}}}, 4 / element, 4, 1, STREAM, 0};
	struct box list[] = {in, out};
	MUST(copy(2, list, 0, stream));
	MUST(cuStreamSynchronize(stream));
	equal("the first byte of the part", to[0], 2 * 16 + 4);
	equal("the last one", to[15], 5 * 16 + 7);
	list[1].depth = 0;
	equal("a box without depth", copy(2, list, 0, stream), INVALID_VALUE);
}

int main(int argc, char **argv) {
	handle array, floats, whole, stream;
	struct resource all;
	(void)argv;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&whole, 0));
	MUST(cuCtxSetCurrent(whole));
	MUST(cuMemAlloc_v2(&data, 8 * N));
	contexts(argc > 1);
	MUST(cudaDeviceGetExecutionCtx(&whole, 0));
	MUST(cudaExecutionCtxGetDevResource(whole, &all, SM));
	equal("the device's multiprocessors", all.sm.count > 1, 1);
	MUST(cudaExecutionCtxStreamCreate(&stream, whole, 0, 0));
	MUST(cuArrayCreate_v2(&array, &(struct array){8, 8, UINT8, 1}));
	MUST(cudaMallocArray(&floats, &(struct channel){32, 0, 0, 0, 2}, 2, 8, 0));
	boxes(array, 1, cuMemcpy3DBatchAsync_v2, stream);
	boxes(floats, 4, cudaMemcpy3DBatchAsync, stream);
	MUST(cudaExecutionCtxSynchronize(whole));
}
