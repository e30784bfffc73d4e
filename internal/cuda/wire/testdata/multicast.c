// A program that binds memory of two devices to a multicast object, whose replicas a kernel on each device reduces. Each line
// that it prints says what is right. With a second argument, the kernels of both devices store without an order.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef void *handle;
struct location { int kind, id; };
struct properties { int type, handles; struct location location; void *security; char rest[8]; };
struct allow { struct location location; int access; };
struct object { unsigned devices; size_t size; unsigned long long handles, flags; };
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuCtxSynchronize(void), cuDeviceGetAttribute(int *, int, int), cuDeviceGetCount(int *);
int cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);
int cuMemAddressReserve(uint64_t *, size_t, size_t, uint64_t, unsigned long long), cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long), cuMemRelease(uint64_t);
int cuMemMap(uint64_t, size_t, size_t, uint64_t, unsigned long long), cuMemUnmap(uint64_t, size_t), cuMemSetAccess(uint64_t, size_t, const struct allow *, size_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuMulticastCreate(uint64_t *, const struct object *), cuMulticastAddDevice(uint64_t, int), cuMulticastGetGranularity(size_t *, const struct object *, int);
int cuMulticastBindMem(uint64_t, size_t, uint64_t, size_t, size_t, unsigned long long), cuMulticastBindMem_v2(uint64_t, int, size_t, uint64_t, size_t, size_t, unsigned long long);
int cuMulticastBindAddr(uint64_t, size_t, uint64_t, size_t, unsigned long long), cuMulticastUnbind(uint64_t, int, size_t, size_t);

enum { INVALID_VALUE = 1, INVALID_DEVICE = 101, CHUNK = 2 << 20, N = 32, DEVICES = 2 };
static handle contexts[DEVICES], sums[DEVICES];
static uint64_t memory[DEVICES], own[DEVICES];

static uint64_t mapped(uint64_t h, const struct allow *list, size_t n) {
	uint64_t at;
	MUST(cuMemAddressReserve(&at, CHUNK, 0, 0, 0));
	MUST(cuMemMap(at, CHUNK, 0, h, 0));
	MUST(cuMemSetAccess(at, CHUNK, list, n));
	return at;
}

static void launch(uint64_t object, int d, unsigned racy) {
	void *args[] = {&object, &own[d], &racy};
	MUST(cuCtxSetCurrent(contexts[d]));
	MUST(cuLaunchKernel(sums[d], 1, 1, 1, N, 1, 1, 0, NULL, args, NULL));
}

static uint64_t bound(void) {
	const struct object two = {DEVICES, CHUNK, 0, 0};
	const struct allow all[] = {{{1, 0}, 3}, {{1, 1}, 3}};
	uint64_t object, at;
	size_t unit = 0;
	equal("granularity", cuMulticastGetGranularity(&unit, &two, 0) == 0 && unit == CHUNK, 1);
	MUST(cuMulticastCreate(&object, &two));
	MUST(cuMemAddressReserve(&at, CHUNK, 0, 0, 0));
	MUST(cuMulticastAddDevice(object, 0));
	equal("a device again", cuMulticastAddDevice(object, 0), INVALID_VALUE);
	equal("a device that there is not", cuMulticastAddDevice(object, DEVICES), INVALID_DEVICE);
	equal("memory before all devices", cuMulticastBindMem(object, 0, memory[0], 0, CHUNK, 0), INVALID_VALUE);
	equal("an address before all devices", cuMemMap(at, CHUNK, 0, object, 0), INVALID_VALUE);
	MUST(cuMulticastAddDevice(object, 1));
	MUST(cuMulticastBindMem(object, 0, memory[0], 0, CHUNK, 0));
	equal("memory where there is some", cuMulticastBindAddr(object, 0, own[0], CHUNK, 0), INVALID_VALUE);
	equal("memory of another device", cuMulticastBindMem_v2(object, 0, 0, memory[1], 0, CHUNK, 0), INVALID_VALUE);
	equal("memory beyond the object", cuMulticastBindMem(object, CHUNK, memory[1], 0, CHUNK, 0), INVALID_VALUE);
	MUST(cuMulticastBindAddr(object, 0, own[1], CHUNK, 0));
	MUST(cuMemMap(at, CHUNK, 0, object, 0));
	MUST(cuMemSetAccess(at, CHUNK, all, DEVICES));
	return at;
}

int main(int argc, char **argv) {
	int count, multicast;
	handle module;
	MUST(cuInit(0));
	MUST(cuDeviceGetCount(&count));
	equal("devices", count, DEVICES);
	for (int d = 0; d < DEVICES; d++) {
		const struct properties pinned = {1, 0, {1, d}, NULL, ""};
		const struct allow mine = {{1, d}, 3};
		unsigned words[N];
		for (int i = 0; i < N; i++)
			words[i] = 100 * d + i;
		equal("attribute", cuDeviceGetAttribute(&multicast, 132, d) == 0 && multicast == 1, 1);
		MUST(cuDevicePrimaryCtxRetain(&contexts[d], d));
		MUST(cuCtxSetCurrent(contexts[d]));
		MUST(cuModuleLoad(&module, argv[1]));
		MUST(cuModuleGetFunction(&sums[d], module, "sum"));
		MUST(cuMemCreate(&memory[d], CHUNK, &pinned, 0));
		own[d] = mapped(memory[d], &mine, 1);
		MUST(cuMemcpyHtoD_v2(own[d], words, sizeof words));
		MUST(cuCtxSynchronize()); // the copy may be under way
	}
	uint64_t at = bound();
	equal("a copy from the object", cuMemcpyDtoH_v2(&count, at, sizeof count), INVALID_VALUE);
	for (int d = 0; d < DEVICES; d++) {
		launch(at, d, argc > 2);
		if (argc < 3)
			MUST(cuCtxSynchronize());
	}
	for (int d = 0; d < DEVICES; d++) {
		unsigned words[3 * N];
		MUST(cuCtxSetCurrent(contexts[d]));
		MUST(cuCtxSynchronize());
		MUST(cuMemcpyDtoH_v2(words, own[d], sizeof words));
		equal("a sum", words[N + 5], 110);
		equal("additions", words[2 * N], DEVICES);
	}
	return 0;
}
