// A program that maps memory in reserved addresses. Each line that it prints says what is right. With a second argument it
// makes the mistake of that name.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
struct location { int kind, id; };
struct properties { int type, handles; struct location location; void *security; unsigned char compression, rdma; unsigned short usage; char reserved[4]; };
struct allow { struct location location; int access; };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuCtxSynchronize(void), cuDeviceGetAttribute(int *, int, int);
int cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *), cuStreamCreate(handle *, unsigned), cuStreamSynchronize(handle);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
int cuMemAddressReserve(uint64_t *, size_t, size_t, uint64_t, unsigned long long), cuMemAddressFree(uint64_t, size_t), cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long), cuMemRelease(uint64_t);
int cuMemMap(uint64_t, size_t, size_t, uint64_t, unsigned long long), cuMemUnmap(uint64_t, size_t), cuMemSetAccess(uint64_t, size_t, const struct allow *, size_t), cuMemGetAccess(unsigned long long *, const struct location *, uint64_t);
int cuMemGetAllocationGranularity(size_t *, const struct properties *, int), cuMemGetAllocationPropertiesFromHandle(struct properties *, uint64_t), cuMemRetainAllocationHandle(uint64_t *, void *), cuMemExportToShareableHandle(void *, uint64_t, int, unsigned long long);
int cuMemGetInfo_v2(size_t *, size_t *), cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemsetD32_v2(uint64_t, unsigned, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoD_v2(uint64_t, uint64_t, size_t), cuMemcpy(uint64_t, uint64_t, size_t);
int cuPointerGetAttribute(void *, int, uint64_t), cuMemGetAddressRange_v2(uint64_t *, size_t *, uint64_t);

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, ILLEGAL_ADDRESS = 700, NOT_SUPPORTED = 801, CHUNK = 2 << 20, THREADS = 64 };
static const struct properties pinned = {1, 1, {1, 0}, NULL, 0, 0, 0, ""};
static const struct allow both = {{1, 0}, 3}, none = {{1, 0}, 0};
static handle add, racy;

static uint64_t made(size_t size) {
	uint64_t h;
	MUST(cuMemCreate(&h, size, &pinned, 0));
	return h;
}

static uint64_t reserved(size_t size) {
	uint64_t p;
	MUST(cuMemAddressReserve(&p, size, 0, 0, 0));
	return p;
}

// grow maps a new chunk, as an allocator does whose segments grow: the memory is freed when it is unmapped.
static void grow(uint64_t at) {
	uint64_t h = made(CHUNK);
	MUST(cuMemMap(at, CHUNK, 0, h, 0));
	MUST(cuMemSetAccess(at, CHUNK, &both, 1));
	MUST(cuMemRelease(h));
}

// adds has a kernel add n to 64 words.
static int adds(uint64_t at, unsigned n, handle stream) {
	void *args[] = {&at, &n};
	MUST(cuLaunchKernel(add, 1, 1, 1, THREADS, 1, 1, 0, stream, args, NULL));
	return cuCtxSynchronize();
}

static unsigned word(uint64_t at) {
	unsigned v;
	MUST(cuMemcpyDtoH_v2(&v, at, sizeof v));
	return v;
}

static size_t in_use(void) {
	size_t room, all;
	MUST(cuMemGetInfo_v2(&room, &all));
	return all - room;
}

static void segments(void) {
	size_t room, all, granularity;
	MUST(cuMemGetInfo_v2(&room, &all));
	equal("granularity", cuMemGetAllocationGranularity(&granularity, &pinned, 0) == 0 && granularity == CHUNK, 1);
	uint64_t p = reserved(all / 8 * 9), base;
	equal("a reservation larger than the memory, aligned", p % CHUNK == 0 && in_use() == all - room, 1);
	for (int i = 0; i < 4; i++)
		grow(p + i * CHUNK);
	equal("memory in use", in_use() == all - room + 4 * CHUNK, 1);
	MUST(cuMemsetD32_v2(p, 5, 4 * CHUNK / 4));
	equal("a kernel over two chunks", adds(p + 2 * CHUNK - 128, 2, NULL) == 0 && word(p + 2 * CHUNK - 4) == 7 && word(p + 2 * CHUNK) == 7 && word(p + 2 * CHUNK + 128) == 5, 1);
	MUST(cuMemUnmap(p + CHUNK, 2 * CHUNK));
	equal("memory in use after an unmapping", in_use() == all - room + 2 * CHUNK, 1);
	equal("a copy from there", cuMemcpyDtoH_v2(&base, p + CHUNK, 8), INVALID_VALUE);
	equal("a copy of a kind that the addresses tell", cuMemcpy((uint64_t)&base, p + CHUNK, 8), INVALID_VALUE);
	equal("a copy that reaches there", cuMemcpyDtoD_v2(p, p + 3 * CHUNK - 4, 8), INVALID_VALUE);
	equal("a fill", cuMemsetD32_v2(p, 0, 2 * CHUNK / 4), INVALID_VALUE);
	equal("what the address is", cuPointerGetAttribute(&base, 11, p + CHUNK), INVALID_VALUE);
	equal("what the next one is", cuMemGetAddressRange_v2(&base, &granularity, p + 3 * CHUNK + 8) == 0 && base == p + 3 * CHUNK && granularity == CHUNK, 1);
	grow(p + CHUNK);
	grow(p + 2 * CHUNK);
	MUST(cuMemsetD32_v2(p + CHUNK, 6, CHUNK / 4));
	equal("a kernel in other memory there", adds(p + CHUNK - 128, 1, NULL) == 0 && word(p + CHUNK - 4) == 6 && word(p + CHUNK) == 7, 1);
	equal("an end with memory mapped", cuMemAddressFree(p, all / 8 * 9), INVALID_VALUE);
	MUST(cuMemUnmap(p, 4 * CHUNK));
	equal("an end of a part", cuMemAddressFree(p, CHUNK), INVALID_VALUE);
	equal("an end", cuMemAddressFree(p, all / 8 * 9) == 0 && in_use() == all - room, 1);
}

// A vector that grows by mapping its memory in a larger reservation.
static void moves(void) {
	uint64_t p = reserved(4 * CHUNK), q = reserved(8 * CHUNK), h = made(2 * CHUNK), same = 0;
	unsigned long long access = 9;
	struct properties got;
	MUST(cuMemMap(p, 2 * CHUNK, 0, h, 0));
	equal("access at first", cuMemGetAccess(&access, &both.location, p) == 0 && access == 0, 1);
	equal("a copy without access", cuMemcpyHtoD_v2(p, &access, 8), INVALID_VALUE);
	MUST(cuMemSetAccess(p, 2 * CHUNK, &both, 1));
	equal("access", cuMemGetAccess(&access, &both.location, p + CHUNK) == 0 && access == 3, 1);
	equal("access of what is not mapped", cuMemGetAccess(&access, &both.location, p + 2 * CHUNK), INVALID_VALUE);
	equal("properties", cuMemGetAllocationPropertiesFromHandle(&got, h) == 0 && memcmp(&got, &pinned, sizeof got) == 0, 1);
	MUST(cuMemsetD32_v2(p + CHUNK, 3, CHUNK / 4));
	equal("the same memory twice", cuMemMap(q, 2 * CHUNK, 0, h, 0), NOT_SUPPORTED);
	equal("a mapping over another", cuMemMap(p + CHUNK, CHUNK, 0, made(CHUNK), 0), INVALID_VALUE);
	equal("a part of a mapping", cuMemUnmap(p, CHUNK), INVALID_VALUE);
	equal("access for a part", cuMemSetAccess(p, CHUNK, &none, 1), INVALID_VALUE);
	equal("cuMemFree of mapped memory", cuMemFree_v2(p), INVALID_VALUE);
	MUST(cuMemUnmap(p, 2 * CHUNK));
	equal("a handle with a reference stays", cuMemRetainAllocationHandle(&same, (void *)p) == INVALID_VALUE && cuMemMap(q + CHUNK, CHUNK, CHUNK, h, 0) == 0, 1);
	MUST(cuMemSetAccess(q + CHUNK, CHUNK, &both, 1));
	equal("its bytes", word(q + CHUNK) == 3 && word(q + 2 * CHUNK - 4) == 3 && adds(q + CHUNK, 1, NULL) == 0 && word(q + CHUNK) == 4, 1);
	equal("the handle of an address", cuMemRetainAllocationHandle(&same, (void *)(q + CHUNK + 5)) == 0 && same == h, 1);
	equal("the other part of the handle", cuMemMap(p, CHUNK, 0, h, 0) == 0 && cuMemSetAccess(p, CHUNK, &both, 1) == 0 && cuMemsetD32_v2(p, 8, 1) == 0, 1);
	MUST(cuMemRelease(h));
	MUST(cuMemRelease(h));
	equal("a handle that is gone", cuMemRelease(h) == INVALID_VALUE && word(q + CHUNK) == 4, 1);
	MUST(cuMemUnmap(p, CHUNK));
	MUST(cuMemUnmap(q + CHUNK, CHUNK));
	MUST(cuMemAddressFree(p, 4 * CHUNK));
	MUST(cuMemAddressFree(q, 8 * CHUNK));
}

static void refused(void) {
	struct properties of_host = {1, 0, {2, 0}, NULL, 0, 0, 0, ""}, bad = {0};
	uint64_t h;
	equal("memory of the host", cuMemCreate(&h, CHUNK, &of_host, 0), NOT_SUPPORTED);
	equal("no properties", cuMemCreate(&h, CHUNK, &bad, 0), INVALID_VALUE);
	equal("half a chunk", cuMemCreate(&h, CHUNK / 2, &pinned, 0), INVALID_VALUE);
	equal("more than there is", cuMemCreate(&h, (size_t)1 << 50, &pinned, 0), OUT_OF_MEMORY);
	equal("an empty reservation", cuMemAddressReserve(&h, 0, 0, 0, 0), INVALID_VALUE);
	equal("an alignment of 3", cuMemAddressReserve(&h, CHUNK, 3, 0, 0), INVALID_VALUE);
	equal("an alignment of 1 GiB", cuMemAddressReserve(&h, CHUNK, 1 << 30, 0, 0) == 0 && h % (1 << 30) == 0 && cuMemAddressFree(h, CHUNK) == 0, 1);
	equal("a mapping outside", cuMemMap(12345, CHUNK, 0, 1, 0), INVALID_VALUE);
	equal("an export", cuMemExportToShareableHandle(&h, 1, 1, 0), NOT_SUPPORTED);
}

static int mistake(const char *name) {
	uint64_t p = reserved(4 * CHUNK), h;
	handle stream;
	grow(p);
	if (strcmp(name, "unmapped") == 0)
		return adds(p + CHUNK - 128, 1, NULL);
	if (strcmp(name, "no access") == 0) {
		h = made(CHUNK);
		MUST(cuMemMap(p + CHUNK, CHUNK, 0, h, 0));
		return adds(p + CHUNK, 1, NULL);
	}
	MUST(cuMemsetD32_v2(p, 1, CHUNK / 4));
	MUST(cuCtxSynchronize());
	if (strcmp(name, "unwritten") == 0) {
		grow(p + CHUNK);
		return word(p + CHUNK + 8) + word(p + CHUNK - 4) - 1;
	}
	if (strcmp(name, "early") == 0) {
		void *args[] = {&p, &stream};
		MUST(cuStreamCreate(&stream, 1));
		MUST(cuLaunchKernel(add, 1, 1, 1, THREADS, 1, 1, 0, stream, args, NULL));
		return cuMemUnmap(p, CHUNK);
	}
	MUST(cuMemUnmap(p, CHUNK));
	if (strcmp(name, "taken back") == 0)
		return adds(p, 1, NULL);
	MUST(cuMemAddressFree(p, 4 * CHUNK));
	return adds(p, 1, NULL);
}

int main(int argc, char **argv) {
	handle context, module;
	int value = 0;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&add, module, "add"));
	if (argc > 2) {
		printf("%d\n", mistake(argv[2]));
		return 0;
	}
	equal("the device has it", cuDeviceGetAttribute(&value, 102, 0) == 0 && value == 1, 1);
	segments();
	moves();
	refused();
	return 0;
}
