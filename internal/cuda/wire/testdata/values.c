// A program of the driver API in which a stream waits for a value that is written later. Every line says that it is right. The
// second argument says by what: the "host", another "stream", or nothing ("never").
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemAllocHost_v2(void **, size_t), cuMemsetD32_v2(uint64_t, unsigned, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuCtxSynchronize(void);
int cuStreamCreate(void **, unsigned), cuStreamQuery(void *), cuStreamSynchronize(void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuEventCreate(void **, unsigned), cuEventRecord(void *, void *);
int cuStreamWriteValue32_v2(void *, uint64_t, unsigned, unsigned), cuStreamWaitValue32_v2(void *, uint64_t, unsigned, unsigned), cuStreamWaitValue64(void *, uint64_t, uint64_t, unsigned);

enum { NON_BLOCKING = 1, NOT_READY = 600, INVALID_VALUE = 1, EQUAL = 1, AND = 2, NOR = 3 };

static char image[8192];
static void *waits, *writes, *behind, *event;
static uint64_t data, flag;

static void twice(void *stream) {
	void *module, *f, *params[] = {&data};
	MUST(cuModuleLoadData(&module, image));
	MUST(cuModuleGetFunction(&f, module, "twice"));
	MUST(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL));
}

static void result(unsigned want) {
	unsigned word;
	MUST(cuMemcpyDtoH_v2(&word, data, sizeof word));
	equal("result", word, want);
}

static void by_host(void) {
	unsigned *shared;
	MUST(cuMemAllocHost_v2((void **)&shared, sizeof *shared));
	*shared = 0;
	MUST(cuStreamWaitValue32_v2(waits, (uint64_t)shared, 0x10, AND));
	equal("waits", cuStreamQuery(waits), NOT_READY);
	twice(writes);
	MUST(cuStreamSynchronize(writes));
	*shared = 0x18;
	MUST(cuStreamSynchronize(waits));
	twice(waits);
	MUST(cuStreamSynchronize(waits));
	result(12);
}

static void by_stream(void) {
	MUST(cuStreamWaitValue32_v2(waits, flag, 0x80000001, 0)); // 1 is before it, in the order of numbers that wrap
	MUST(cuEventRecord(event, waits));
	MUST(cuStreamWaitEvent(behind, event, 0));
	twice(writes);
	equal("a stream behind it", cuStreamQuery(behind), NOT_READY);
	MUST(cuStreamWriteValue32_v2(writes, flag, 0x80000002, 0));
	twice(behind);
	MUST(cuStreamSynchronize(behind));
	twice(waits);
	MUST(cuCtxSynchronize());
	result(24);
}

static void never(void) {
	MUST(cuStreamWaitValue32_v2(waits, flag, 7, EQUAL));
	twice(writes);
	twice(waits);
	MUST(cuCtxSynchronize());
	result(12);
}

int main(int argc, char **argv) {
	void *context;
	FILE *f = fopen(argv[1], "r");
	if (argc != 3 || f == NULL || fread(image, 1, sizeof image - 1, f) == 0)
		return 9;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuStreamCreate(&waits, NON_BLOCKING));
	MUST(cuStreamCreate(&writes, NON_BLOCKING));
	MUST(cuStreamCreate(&behind, NON_BLOCKING));
	MUST(cuEventCreate(&event, 0));
	MUST(cuMemAlloc_v2(&data, sizeof(int)));
	MUST(cuMemAlloc_v2(&flag, sizeof(uint64_t)));
	MUST(cuMemsetD32_v2(data, 3, 1));
	MUST(cuMemsetD32_v2(flag, 1, 2));
	MUST(cuCtxSynchronize());
	equal("unaligned", cuStreamWaitValue64(waits, flag + 4, 0, 0), INVALID_VALUE);
	MUST(cuStreamWaitValue64(waits, flag, 0x100000001, EQUAL));
	MUST(cuStreamWaitValue32_v2(waits, flag, 0x7fffffff, NOR));
	if (strcmp(argv[2], "host") == 0)
		by_host();
	else if (strcmp(argv[2], "stream") == 0)
		by_stream();
	else
		never();
	return 0;
}
