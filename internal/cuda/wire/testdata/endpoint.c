// A program that makes logical endpoints over its own memory, where kernels put bytes by the number of an endpoint. Each line that it prints says
// what is right. With a second argument it makes the mistake of that name, and prints the result of the kernel.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
struct location { int kind, id; };
struct properties { int type, handles; struct location location; void *security; char rest[8]; };
struct allow { struct location location; int access; };
struct endpoint { int type, device; unsigned long long size; unsigned handles, flags; };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuCtxSynchronize(void), cuDeviceGetAttribute(int *, int, int);
int cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *), cuStreamCreate(handle *, unsigned);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
int cuMemAddressReserve(uint64_t *, size_t, size_t, uint64_t, unsigned long long), cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long), cuMemRelease(uint64_t);
int cuMemMap(uint64_t, size_t, size_t, uint64_t, unsigned long long), cuMemUnmap(uint64_t, size_t), cuMemSetAccess(uint64_t, size_t, const struct allow *, size_t);
int cuMemGetInfo_v2(size_t *, size_t *), cuMemAlloc_v2(uint64_t *, size_t), cuMemAllocAsync(uint64_t *, size_t, handle), cuMemFreeAsync(uint64_t, handle), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD8_v2(uint64_t, unsigned char, size_t);
int cuLogicalEndpointIdReserve(unsigned *, unsigned), cuLogicalEndpointIdRelease(unsigned, unsigned), cuLogicalEndpointCreate(unsigned, const struct endpoint *), cuLogicalEndpointDestroy(unsigned), cuLogicalEndpointQuery(unsigned, unsigned, int *);
int cuLogicalEndpointGetLimits(uint64_t *, uint64_t *, const struct endpoint *), cuLogicalEndpointBindMem(unsigned, int, uint64_t, uint64_t, uint64_t, uint64_t, unsigned long long), cuLogicalEndpointBindAddr(unsigned, int, uint64_t, void *, uint64_t, unsigned long long), cuLogicalEndpointUnbind(unsigned, int, uint64_t, uint64_t);
int cuLogicalEndpointAddDevice(unsigned, int), cuLogicalEndpointExport(void *, unsigned, int), cuLogicalEndpointImport(unsigned, const void *, int);

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_SUPPORTED = 801, CHUNK = 2 << 20 };
static const struct properties pinned = {1, 0, {1, 0}, NULL, ""};
static const struct allow both = {{1, 0}, 3};
static const struct endpoint unicast = {1, 0, 2 * CHUNK, 0, 1};
static handle put, first, second;

// made is memory of two chunks, mapped at *at.
static uint64_t made(uint64_t *at) {
	uint64_t h;
	MUST(cuMemCreate(&h, 2 * CHUNK, &pinned, 0));
	MUST(cuMemAddressReserve(at, 2 * CHUNK, 0, 0, 0));
	MUST(cuMemMap(*at, 2 * CHUNK, 0, h, 0));
	MUST(cuMemSetAccess(*at, 2 * CHUNK, &both, 1));
	MUST(cuMemsetD8_v2(*at, 0, 2 * CHUNK));
	MUST(cuCtxSynchronize());
	return h;
}

static unsigned created(void) {
	unsigned id;
	int ready = 0;
	MUST(cuLogicalEndpointIdReserve(&id, 1));
	MUST(cuLogicalEndpointCreate(id, &unicast));
	equal("ready", cuLogicalEndpointQuery(id, 1, &ready) == 0 && ready != 0, 1);
	return id;
}

static int launch(unsigned id, uint64_t offset, uint64_t there, unsigned value, unsigned early, handle stream) {
	void *args[] = {&id, &offset, &there, &value, &early};
	return cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, stream, args, NULL);
}

// puts reports whether a kernel puts four words at an offset of an endpoint, and finds them at an address.
static int puts_at(unsigned id, uint64_t offset, uint64_t there, unsigned value) {
	unsigned words[5] = {0};
	MUST(launch(id, offset, there, value, 0, NULL));
	MUST(cuCtxSynchronize());
	MUST(cuMemcpyDtoH_v2(words, there, sizeof words));
	for (int i = 0; i < 4; i++)
		if (words[i] != value)
			return 0;
	return words[4] >= value;
}

static size_t in_use(void) {
	size_t room, all;
	MUST(cuMemGetInfo_v2(&room, &all));
	return all - room;
}

static void works(void) {
	uint64_t at, other, h, alignment, most, before = in_use();
	for (int i = 153; i <= 156; i++) { // unicast, multicast, counted, own memory
		int value = -1;
		equal("attribute", cuDeviceGetAttribute(&value, i, 0) == 0 && value == (i != 154), 1);
	}
	equal("limits", cuLogicalEndpointGetLimits(&alignment, &most, &unicast) == 0 && alignment == CHUNK && most >= 2 * CHUNK, 1);
	unsigned id = created();
	h = made(&at);
	MUST(cuLogicalEndpointBindMem(id, 0, 0, h, CHUNK, CHUNK, 0));
	equal("the second chunk first", puts_at(id, 256, at + CHUNK + 256, 7), 1);
	MUST(cuLogicalEndpointBindAddr(id, 0, CHUNK, (void *)at, CHUNK, 0));
	equal("the first chunk second", puts_at(id, CHUNK + 64, at + 64, 8), 1);
	MUST(cuMemRelease(h));
	MUST(cuMemUnmap(at, 2 * CHUNK));
	equal("bound memory stays", in_use() == before + 2 * CHUNK, 1);
	MUST(cuLogicalEndpointUnbind(id, 0, 0, 2 * CHUNK));
	equal("until it is unbound", in_use() == before, 1);
	MUST(cuMemAllocAsync(&other, CHUNK, NULL));
	MUST(cuMemsetD8_v2(other, 0, CHUNK));
	MUST(cuLogicalEndpointBindAddr(id, 0, CHUNK, (void *)other, CHUNK, 0));
	equal("memory of a stream", puts_at(id, CHUNK, other, 9), 1);
	h = made(&at);
	MUST(cuLogicalEndpointBindMem(id, 0, 0, h, 0, CHUNK, 0));
	MUST(cuMemUnmap(at, 2 * CHUNK));
	MUST(cuMemMap(at, 2 * CHUNK, 0, h, 0));
	MUST(cuMemSetAccess(at, 2 * CHUNK, &both, 1));
	equal("memory that is mapped again", puts_at(id, 0, at, 10), 1);
	MUST(cuLogicalEndpointDestroy(id));
	MUST(cuLogicalEndpointIdRelease(id, 1));
}

static void refused(void) {
	uint64_t at, plain, h, number;
	unsigned id, next;
	int ready = 1;
	char bytes[64] = "";
	struct endpoint odd = unicast, large = unicast, elsewhere = unicast, team = unicast, shared = unicast, none = {0};
	odd.size = CHUNK / 2, large.size = (unsigned long long)1 << 60, elsewhere.device = 1, team.type = 2, shared.handles = 1;
	equal("no ids", cuLogicalEndpointIdReserve(&id, 0), INVALID_VALUE);
	equal("too many ids", cuLogicalEndpointIdReserve(&id, -1), OUT_OF_MEMORY);
	equal("a place for no id", cuLogicalEndpointIdReserve(NULL, 1), INVALID_VALUE);
	MUST(cuLogicalEndpointIdReserve(&id, 2));
	equal("an id that is not reserved", cuLogicalEndpointCreate(id + 2, &unicast), INVALID_VALUE);
	equal("no properties", cuLogicalEndpointCreate(id, NULL), INVALID_VALUE);
	equal("no type", cuLogicalEndpointCreate(id, &none), INVALID_VALUE);
	equal("half a chunk", cuLogicalEndpointCreate(id, &odd), INVALID_VALUE);
	equal("more than there is", cuLogicalEndpointCreate(id, &large), INVALID_VALUE);
	equal("another device", cuLogicalEndpointCreate(id, &elsewhere), INVALID_VALUE);
	equal("a team", cuLogicalEndpointCreate(id, &team), NOT_SUPPORTED);
	equal("limits of a team", cuLogicalEndpointGetLimits(&number, &number, &team), NOT_SUPPORTED);
	equal("one that is exported", cuLogicalEndpointCreate(id, &shared), NOT_SUPPORTED);
	equal("not made", cuLogicalEndpointDestroy(id), INVALID_VALUE);
	MUST(cuLogicalEndpointCreate(id, &unicast));
	equal("made twice", cuLogicalEndpointCreate(id, &unicast), INVALID_VALUE);
	equal("one of two is made", cuLogicalEndpointQuery(id, 2, &ready) == 0 && ready == 0, 1);
	equal("not reserved", cuLogicalEndpointQuery(id, 3, &ready), INVALID_VALUE);
	h = made(&at);
	equal("not queried", cuLogicalEndpointBindMem(id, 0, 0, h, 0, CHUNK, 0), INVALID_VALUE);
	equal("queried", cuLogicalEndpointQuery(id, 1, &ready) == 0 && ready != 0, 1);
	equal("no such memory", cuLogicalEndpointBindMem(id, 0, 0, h + 100, 0, CHUNK, 0), INVALID_VALUE);
	equal("beyond the memory", cuLogicalEndpointBindMem(id, 0, 0, h, CHUNK, 2 * CHUNK, 0), INVALID_VALUE);
	equal("beyond the endpoint", cuLogicalEndpointBindMem(id, 0, CHUNK, h, 0, 2 * CHUNK, 0), INVALID_VALUE);
	equal("at half a chunk", cuLogicalEndpointBindMem(id, 0, CHUNK / 2, h, 0, CHUNK, 0), INVALID_VALUE);
	equal("on another device", cuLogicalEndpointBindMem(id, 1, 0, h, 0, CHUNK, 0), INVALID_VALUE);
	equal("with flags", cuLogicalEndpointBindMem(id, 0, 0, h, 0, CHUNK, 1), INVALID_VALUE);
	MUST(cuMemAlloc_v2(&plain, CHUNK));
	equal("memory of cuMemAlloc", cuLogicalEndpointBindAddr(id, 0, 0, (void *)plain, CHUNK, 0), INVALID_VALUE);
	equal("no memory", cuLogicalEndpointBindAddr(id, 0, 0, bytes, CHUNK, 0), INVALID_VALUE);
	equal("beyond the mapping", cuLogicalEndpointBindAddr(id, 0, 0, (void *)(at + CHUNK), 2 * CHUNK, 0), INVALID_VALUE);
	MUST(cuLogicalEndpointBindMem(id, 0, 0, h, 0, 2 * CHUNK, 0));
	equal("bound twice", cuLogicalEndpointBindMem(id, 0, CHUNK, h, 0, CHUNK, 0), INVALID_VALUE);
	equal("a part of a binding", cuLogicalEndpointUnbind(id, 0, 0, CHUNK), INVALID_VALUE);
	equal("from within a binding", cuLogicalEndpointUnbind(id, 0, CHUNK, CHUNK), INVALID_VALUE);
	equal("ids that are in use", cuLogicalEndpointIdRelease(id, 2), INVALID_VALUE);
	equal("a device of a team", cuLogicalEndpointAddDevice(id, 0), NOT_SUPPORTED);
	equal("an export", cuLogicalEndpointExport(bytes, id, 1), NOT_SUPPORTED);
	equal("an import", cuLogicalEndpointImport(id + 1, bytes, 1), NOT_SUPPORTED);
	MUST(cuLogicalEndpointDestroy(id));
	equal("destroyed", cuLogicalEndpointBindMem(id, 0, 0, h, 0, CHUNK, 0), INVALID_VALUE);
	MUST(cuLogicalEndpointIdRelease(id, 2));
	equal("released", cuLogicalEndpointCreate(id, &unicast), INVALID_VALUE);
	equal("another id", cuLogicalEndpointIdReserve(&next, 1) == 0 && next != id, 1);
}

static int mistake(const char *name) {
	uint64_t at, h = made(&at);
	unsigned id = created(), other = 0;
	if (strcmp(name, "unbound") != 0)
		MUST(cuLogicalEndpointBindMem(id, 0, 0, h, 0, CHUNK, 0));
	if (strcmp(name, "unmapped") == 0)
		MUST(cuMemUnmap(at, 2 * CHUNK));
	if (strcmp(name, "destroyed") == 0)
		MUST(cuLogicalEndpointDestroy(id));
	if (strcmp(name, "freed") == 0) {
		MUST(cuMemAllocAsync(&at, CHUNK, NULL));
		MUST(cuLogicalEndpointBindAddr(id, 0, CHUNK, (void *)at, CHUNK, 0));
		MUST(cuMemFreeAsync(at, NULL));
		other = CHUNK;
	}
	if (strcmp(name, "beyond") == 0)
		other = 2 * CHUNK - 16;
	int error = launch(id, other, at, 5, strcmp(name, "early") == 0, first);
	if (strcmp(name, "two streams") == 0)
		MUST(launch(id, other, at, 6, 0, second));
	return error != 0 ? error : cuCtxSynchronize();
}

int main(int n, char **args) {
	handle context, module;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoad(&module, args[1]));
	MUST(cuModuleGetFunction(&put, module, "put"));
	MUST(cuStreamCreate(&first, 1));
	MUST(cuStreamCreate(&second, 1));
	if (n == 2) {
		works();
		return 0;
	}
	if (strcmp(args[2], "refused") == 0) {
		refused();
		return 0;
	}
	printf("%d\n", mistake(args[2]));
	return 0;
}
