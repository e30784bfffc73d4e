// A program of both of CUDA's APIs with three devices: which device is current, what belongs to which, and who accesses what.
#include "check.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;
typedef void *handle;
struct location { int kind, id; };
struct access { struct location location; int access; };
struct properties { int kind, handles; struct location location; char room[72]; };
struct pointer { int type, device; void *device_pointer, *host_pointer; };

void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int), __cudaRegisterManagedVar(void **, void **, char *, const char *, int, size_t, int, int);
char __cudaInitModule(void **);
int cudaGetDeviceCount(int *), cudaSetDevice(int), cudaGetDevice(int *), cudaDeviceReset(void), cudaDeviceSynchronize(void), cudaGetLastError(void);
int cudaMalloc(void *, size_t), cudaMallocAsync(void *, size_t, handle), cudaMallocManaged(void *, size_t, unsigned), cudaMallocHost(void *, size_t), cudaFree(void *), cudaMemset(void *, int, size_t);
int cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyPeer(void *, int, const void *, int, size_t), cudaMemcpyAsync(void *, const void *, size_t, int, handle), cudaMemGetInfo(size_t *, size_t *);
int cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, int), cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int), cudaGetSymbolAddress(void *, const void *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, handle), cudaPointerGetAttributes(struct pointer *, const void *);
int cudaStreamCreate(handle *), cudaStreamCreateWithFlags(handle *, unsigned), cudaStreamDestroy(handle), cudaStreamSynchronize(handle), cudaStreamGetDevice(handle, int *), cudaStreamWaitEvent(handle, handle, unsigned);
int cudaEventCreate(handle *), cudaEventRecord(handle, handle), cudaEventElapsedTime(float *, handle, handle), cudaEventSynchronize(handle);
int cudaDeviceCanAccessPeer(int *, int, int), cudaDeviceEnablePeerAccess(int, unsigned), cudaDeviceDisablePeerAccess(int), cudaDeviceGetP2PAttribute(int *, int, int, int);
int cudaDeviceGetPCIBusId(char *, int, int), cudaDeviceGetByPCIBusId(int *, const char *), cudaGetDeviceProperties(char *, int), cudaMemPrefetchAsync(const void *, size_t, int, handle);
int cudaDeviceGetDefaultMemPool(handle *, int), cudaMemPoolCreate(handle *, const struct properties *), cudaMemPoolSetAccess(handle, const struct access *, size_t), cudaMemPoolGetAccess(int *, handle, const struct location *);
int cudaMallocFromPoolAsync(void *, size_t, handle, handle), cudaDeviceSetMemPool(int, handle);
int cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaGraphInstantiateWithFlags(handle *, handle, unsigned long long), cudaGraphLaunch(handle, handle);
int nvmlInit_v2(void), nvmlDeviceGetCount_v2(unsigned *), nvmlDeviceGetHandleByIndex_v2(unsigned, handle *), nvmlDeviceGetUUID(handle, char *, unsigned), nvmlDeviceGetHandleByUUID(const char *, handle *);
int nvmlDeviceGetIndex(handle, unsigned *), nvmlDeviceGetHandleByPciBusId_v2(const char *, handle *), nvmlDeviceGetP2PStatus(handle, handle, int, int *);
int cuInit(unsigned), cuCtxGetCurrent(handle *), cuCtxGetDevice(int *), cuCtxSetCurrent(handle), cuCtxPushCurrent_v2(handle), cuCtxPopCurrent_v2(handle *), cuCtxCreate_v2(handle *, unsigned, int), cuCtxDestroy_v2(handle);
int cuDevicePrimaryCtxRetain(handle *, int), cuDevicePrimaryCtxGetState(int, unsigned *, int *), cuCtxEnablePeerAccess(handle, unsigned), cuCtxDisablePeerAccess(handle);
int cuModuleLoadData(handle *, const void *), cuModuleGetFunction(handle *, handle, const char *), cuModuleGetGlobal_v2(uint64_t *, size_t *, handle, const char *);
int cuLibraryLoadData(handle *, const void *, int *, void **, unsigned, int *, void **, unsigned), cuLibraryGetKernel(handle *, handle, const char *), cuLibraryGetGlobal(uint64_t *, size_t *, handle, const char *);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **), cuStreamCreate(handle *, unsigned), cuStreamGetCtx(handle, handle *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD32_v2(uint64_t, unsigned, size_t), cuPointerGetAttribute(void *, int, uint64_t);
int cuMemCreate(uint64_t *, size_t, const struct properties *, unsigned long long), cuMemAddressReserve(uint64_t *, size_t, size_t, uint64_t, unsigned long long), cuMemMap(uint64_t, size_t, size_t, uint64_t, unsigned long long);
int cuMemSetAccess(uint64_t, size_t, const struct access *, size_t), cuMemGetAccess(unsigned long long *, const struct location *, uint64_t), cuDeviceGetUuid(char *, int);

enum { DEVICES = 3, TO_DEVICE = 1, TO_HOST = 2, INVALID_VALUE = 1, INVALID_DEVICE = 101, INVALID_HANDLE = 400, ILLEGAL = 700, ENABLED = 704, NOT_ENABLED = 705, MORE = 2 << 20 };

static const char ptx[] =
	".version 7.0\n.target sm_70\n.address_size 64\n"
	".visible .global .align 4 .u32 own;\n"
	".visible .global .attribute(.managed) .align 4 .u32 all = 5;\n"
	".visible .entry put(.param .u64 p, .param .u32 v) {\n .reg .b32 %r<2>;\n .reg .b64 %rd<2>;\n"
	" ld.param.u64 %rd1, [p];\n ld.param.u32 %r1, [v];\n st.global.u32 [%rd1], %r1;\n ret;\n}\n"
	".visible .entry count() {\n .reg .b32 %r<3>;\n"
	" ld.global.u32 %r1, [own];\n add.u32 %r1, %r1, 1;\n st.global.u32 [own], %r1;\n"
	" ld.global.u32 %r2, [all];\n add.u32 %r2, %r2, 1;\n st.global.u32 [all], %r2;\n ret;\n}\n"
	".visible .entry await(.param .u64 p) {\n .reg .b32 %r<2>;\n .reg .b64 %rd<2>;\n .reg .pred %q;\n ld.param.u64 %rd1, [p];\n"
	"again:\n ld.volatile.global.u32 %r1, [%rd1];\n setp.eq.u32 %q, %r1, 0;\n @%q bra again;\n ret;\n}\n";
static char put, count, await, own; // whose addresses stand for kernels and a variable
static struct { int magic, version; const void *image, *unused; } wrapper = {0x466243b1, 1, ptx, NULL};
static unsigned *all;

static int value_of(const void *p) {
	int value = -1;
	MUST(cudaMemcpy(&value, p, sizeof value, TO_HOST));
	return value;
}

static int put_at(void *p, int value, handle stream) {
	void *args[] = {&p, &value};
	int error = cudaLaunchKernel(&put, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, stream);
	return error != 0 ? error : cudaDeviceSynchronize();
}

static int counted(void) {
	int error = cudaLaunchKernel(&count, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL);
	return error != 0 ? error : cudaDeviceSynchronize();
}

static void *of_other_thread(void *device) {
	MUST(cudaGetDevice(device));
	MUST(cudaSetDevice(2));
	return NULL;
}

static void current(void) {
	int n = 0, d = -1, other = -1, active = -1;
	unsigned flags;
	handle c, own_context, before;
	pthread_t thread;
	equal("how many", cudaGetDeviceCount(&n) == 0 ? n : -1, DEVICES);
	equal("no such device", cudaSetDevice(DEVICES), INVALID_DEVICE);
	equal("not yet active", cuDevicePrimaryCtxGetState(2, &flags, &active) == 0 ? active : -1, 0);
	MUST(cudaSetDevice(1));
	equal("the driver's device", cuCtxGetDevice(&d) == 0 ? d : -1, 1);
	MUST(cuDevicePrimaryCtxRetain(&c, 1));
	equal("its context", cuCtxGetCurrent(&own_context) == 0 && own_context == c, 1);
	pthread_create(&thread, NULL, of_other_thread, &other);
	pthread_join(thread, NULL);
	equal("another thread's", other == 0 && cudaGetDevice(&d) == 0 && d == 1, 1);
	equal("active", cuDevicePrimaryCtxGetState(2, &flags, &active) == 0 ? active : -1, 1);
	MUST(cuCtxCreate_v2(&own_context, 0, 2));
	equal("a context of the driver's", cudaGetDevice(&d) == 0 ? d : -1, 2);
	MUST(cuCtxPopCurrent_v2(&before));
	equal("the one before", before == own_context && cudaGetDevice(&d) == 0 && d == 1, 1);
	MUST(cuCtxPushCurrent_v2(own_context));
	MUST(cudaSetDevice(0));
	equal("set by the runtime", cuCtxGetDevice(&d) == 0 ? d : -1, 0);
	MUST(cuCtxDestroy_v2(own_context));
}

static void identities(void) {
	char first[16], last[16], bus[32], p[2048];
	int d = -1;
	MUST(cuDeviceGetUuid(first, 0));
	MUST(cuDeviceGetUuid(last, 2));
	equal("identities", memcmp(first, last, sizeof first) != 0 && cudaGetDeviceProperties(p, 2) == 0 && memcmp(p + 256, last, sizeof last) == 0, 1);
	MUST(cudaDeviceGetPCIBusId(bus, sizeof bus, 2));
	equal("a place on the bus", cudaDeviceGetByPCIBusId(&d, bus) == 0 ? d : -1, 2);
	equal("without domain and function", cudaDeviceGetByPCIBusId(&d, "01:00") == 0 ? d : -1, 1);
	equal("no such place", cudaDeviceGetByPCIBusId(&d, "0000:07:00.0"), INVALID_DEVICE);
	equal("no place", cudaDeviceGetByPCIBusId(&d, "gpu"), INVALID_VALUE);
}

static void management(void) {
	unsigned n = 0, index = 9;
	handle first, last, same;
	char id[96];
	int status = -1;
	equal("devices of the management library", nvmlInit_v2() == 0 && nvmlDeviceGetCount_v2(&n) == 0 ? n : -1, DEVICES);
	equal("one beyond", nvmlDeviceGetHandleByIndex_v2(DEVICES, &last), 2);
	MUST(nvmlDeviceGetHandleByIndex_v2(0, &first));
	MUST(nvmlDeviceGetHandleByIndex_v2(2, &last));
	equal("its number", nvmlDeviceGetIndex(last, &index) == 0 ? index : -1, 2);
	equal("by its identity", nvmlDeviceGetUUID(last, id, sizeof id) == 0 && nvmlDeviceGetHandleByUUID(id, &same) == 0 && same == last, 1);
	equal("by its place", nvmlDeviceGetHandleByPciBusId_v2("00000000:02:00.0", &same) == 0 && same == last, 1);
	equal("a link to it", nvmlDeviceGetP2PStatus(first, last, 0, &status) == 0 ? status : -1, 0);
}

static void variables(void) {
	int values[DEVICES], three = 3;
	void *addresses[DEVICES];
	for (int d = 0; d < DEVICES; d++) {
		MUST(cudaSetDevice(d));
		MUST(cudaMemcpyToSymbol(&own, &three, sizeof three, 0, TO_DEVICE));
		for (int i = 0; i <= d; i++)
			MUST(counted());
		MUST(cudaMemcpyFromSymbol(&values[d], &own, sizeof(int), 0, TO_HOST));
		MUST(cudaGetSymbolAddress(&addresses[d], &own));
	}
	equal("a variable of each device", values[0] * 100 + values[1] * 10 + values[2], 456);
	equal("with addresses", addresses[0] != addresses[1] && addresses[1] != addresses[2], 1);
	equal("a variable of all", *all, 5 + 1 + 2 + 3);
}

static void streams(void) {
	handle s, e, f, g;
	int d = -1, *p;
	float ms;
	MUST(cudaSetDevice(1));
	MUST(cudaMalloc(&p, sizeof *p));
	MUST(cudaStreamCreate(&s));
	MUST(cudaEventCreate(&e));
	MUST(cudaEventRecord(e, s));
	MUST(cudaSetDevice(0));
	MUST(cudaEventCreate(&f));
	MUST(cudaEventCreate(&g));
	MUST(cudaEventRecord(f, NULL));
	MUST(cudaEventRecord(g, NULL));
	equal("a stream's device", cudaStreamGetDevice(s, &d) == 0 ? d : -1, 1);
	equal("the default stream's", cudaStreamGetDevice(NULL, &d) == 0 ? d : -1, 0);
	equal("a launch in a stream of another device", put_at(p, 1, s), INVALID_HANDLE);
	equal("an event of another device", cudaEventRecord(f, s), INVALID_HANDLE);
	equal("a time on a device", cudaEventElapsedTime(&ms, f, g), 0);
	equal("a time between devices", cudaEventElapsedTime(&ms, f, e), INVALID_HANDLE);
	equal("a wait for another device", cudaStreamWaitEvent(NULL, e, 0), 0);
	int seven = 7;
	equal("a copy in its stream", cudaMemcpyAsync(p, &seven, sizeof seven, TO_DEVICE, s) == 0 && cudaStreamSynchronize(s) == 0 ? value_of(p) : -1, 7);
	MUST(cudaSetDevice(1));
	equal("a launch on its device", put_at(p, 8, s) == 0 ? value_of(p) : -1, 8);
	MUST(cudaStreamDestroy(s));
}

static void peers(void) {
	int can = -1, rank = -1, *p, *q;
	size_t room, less, total;
	struct pointer a;
	MUST(cudaSetDevice(0));
	equal("a peer", cudaDeviceCanAccessPeer(&can, 0, 1) == 0 ? can : -1, 1);
	equal("itself", cudaDeviceCanAccessPeer(&can, 1, 1) == 0 ? can : -1, 0);
	equal("access to a peer", cudaDeviceGetP2PAttribute(&rank, 2, 0, 1) == 0 ? rank : -1, 1);
	equal("no pair", cudaDeviceGetP2PAttribute(&rank, 2, 1, 1), INVALID_DEVICE);
	equal("not enabled", cudaDeviceDisablePeerAccess(1), NOT_ENABLED);
	equal("of itself", cudaDeviceEnablePeerAccess(0, 0), INVALID_DEVICE);
	MUST(cudaDeviceEnablePeerAccess(1, 0));
	equal("enabled twice", cudaDeviceEnablePeerAccess(1, 0), ENABLED);
	MUST(cudaMemGetInfo(&room, &total));
	MUST(cudaSetDevice(1));
	MUST(cudaMalloc(&p, MORE));
	MUST(cudaMemset(p, 0, MORE));
	MUST(cudaDeviceSynchronize());
	MUST(cudaSetDevice(0));
	MUST(cudaMemGetInfo(&less, &total));
	equal("memory of a device", cudaPointerGetAttributes(&a, p) == 0 ? a.device : -1, 1);
	equal("a store to a peer", put_at(p, 9, NULL) == 0 ? value_of(p) : -1, 9);
	MUST(cudaMalloc(&q, MORE));
	equal("a copy from a peer", cudaMemcpyPeer(q, 0, p, 1, MORE) == 0 ? value_of(q) : -1, 9);
	equal("a copy from no device", cudaMemcpyPeer(q, 0, p, DEVICES, 4), INVALID_DEVICE);
	MUST(cudaDeviceDisablePeerAccess(1));
	equal("a copy without access", cudaMemcpyPeer(q, 0, p, 1, 4), 0);
	int *m;
	MUST(cudaMallocManaged(&m, sizeof *m, 1));
	equal("managed memory is nowhere else", cudaMemPrefetchAsync(m, 4, DEVICES, NULL), INVALID_DEVICE);
	equal("or at the host", cudaMemPrefetchAsync(m, 4, -1, NULL), 0);
	MUST(cudaSetDevice(2));
	equal("managed memory", put_at(m, 3, NULL) == 0 ? *m : -1, 3);
}

// What the host waits for on one device while a kernel of another one waits for a store of the host's.
static void hosts(void) {
	volatile int *flag;
	void *args[] = {&flag}, *p;
	int error;
	MUST(cudaSetDevice(1));
	MUST(cudaMalloc(&p, 4));
	MUST(cudaSetDevice(0));
	MUST(cudaMallocHost(&flag, sizeof *flag));
	*flag = 0;
	MUST(cudaLaunchKernel(&await, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL));
	equal("memory of another device is freed", cudaFree(p), 0);
	MUST(cudaSetDevice(1));
	equal("another device", cudaDeviceSynchronize(), 0);
	equal("access of another device", (error = cudaDeviceEnablePeerAccess(0, 0)) != 0 ? error : cudaDeviceDisablePeerAccess(0), 0);
	equal("a reset of another device", cudaDeviceReset(), 0);
	*flag = 1;
	MUST(cudaSetDevice(0));
	equal("the device of the kernel", cudaDeviceSynchronize(), 0);
	*flag = 0;
	MUST(cudaLaunchKernel(&await, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL));
	*flag = 1;
	MUST(cudaMalloc(&p, 4));
	equal("memory of the device is freed", cudaFree(p), 0);
}

static void pools(void) {
	struct location two = {1, 2}, one = {1, 1};
	struct access list[] = {{two, 3}}, none[] = {{one, 0}};
	struct properties p = {.kind = 1, .location = one};
	handle pool, standard, of_other;
	int *before, *after, access = -1, *own_memory;
	struct pointer a;
	MUST(cudaMemPoolCreate(&pool, &p));
	MUST(cudaSetDevice(1));
	MUST(cudaMallocFromPoolAsync(&before, 4, pool, NULL));
	equal("no access to a pool", cudaMemPoolGetAccess(&access, pool, &two) == 0 ? access : -1, 0);
	MUST(cudaMemPoolSetAccess(pool, list, 1));
	equal("access to a pool", cudaMemPoolGetAccess(&access, pool, &two) == 0 ? access : -1, 3);
	equal("its own device's stays", cudaMemPoolSetAccess(pool, none, 1), INVALID_VALUE);
	MUST(cudaMallocFromPoolAsync(&after, 4, pool, NULL));
	equal("a pool of another device", cudaDeviceSetMemPool(0, pool), INVALID_VALUE);
	MUST(cudaDeviceSynchronize());
	MUST(cudaSetDevice(2));
	equal("stores to a pool", put_at(before, 5, NULL) == 0 && put_at(after, 6, NULL) == 0 ? 10 * value_of(before) + value_of(after) : -1, 56);
	MUST(cudaMallocAsync(&own_memory, 4, NULL));
	MUST(cudaDeviceGetDefaultMemPool(&standard, 2));
	equal("of the current device", cudaPointerGetAttributes(&a, own_memory) == 0 ? a.device : -1, 2);
	MUST(cudaSetDevice(1));
	MUST(cudaStreamCreate(&of_other));
	MUST(cudaSetDevice(2));
	MUST(cudaMallocAsync(&own_memory, 4, of_other));
	equal("of the stream's device", cudaPointerGetAttributes(&a, own_memory) == 0 ? a.device : -1, 1);
}

static void virtual(void) {
	struct location zero = {1, 0}, two = {1, 2}, beyond = {1, DEVICES};
	struct properties p = {.kind = 1, .location = two};
	struct access list[] = {{zero, 3}, {two, 3}}, wrong[] = {{two, 3}, {beyond, 3}};
	uint64_t memory, address;
	unsigned long long flags = 9;
	int device = -1;
	MUST(cuMemCreate(&memory, MORE, &p, 0));
	MUST(cuMemAddressReserve(&address, MORE, 0, 0, 0));
	MUST(cuMemMap(address, MORE, 0, memory, 0));
	equal("access of no device", cuMemSetAccess(address, MORE, wrong, 2), INVALID_DEVICE);
	MUST(cuMemSetAccess(address, MORE, list, 1));
	equal("access of one", cuMemGetAccess(&flags, &two, address) == 0 ? (long)flags : -1, 0);
	MUST(cuMemSetAccess(address, MORE, list, 2));
	equal("access of two", cuMemGetAccess(&flags, &two, address) == 0 && cuMemGetAccess(&flags, &zero, address) == 0 ? (long)flags : -1, 3);
	MUST(cudaSetDevice(0));
	equal("a store to it", put_at((void *)address, 4, NULL) == 0 ? value_of((void *)address) : -1, 4);
	equal("whose it is", cuPointerGetAttribute(&device, 9, address) == 0 ? device : -1, 2);
}

static void driver(void) {
	handle contexts[2], module, function, library, kernel, s, of_stream;
	uint64_t p, globals[2];
	int value = 0, eleven = 11;
	MUST(cuDevicePrimaryCtxRetain(&contexts[0], 0));
	MUST(cuCtxCreate_v2(&contexts[1], 0, 1));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&function, module, "put"));
	MUST(cuLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	MUST(cuLibraryGetKernel(&kernel, library, "put"));
	MUST(cuStreamCreate(&s, 0));
	MUST(cuMemAlloc_v2(&p, 4));
	MUST(cuMemsetD32_v2(p, 0, 1));
	void *args[] = {&p, &eleven};
	MUST(cuCtxSetCurrent(contexts[0]));
	equal("a stream's context", cuStreamGetCtx(s, &of_stream) == 0 && of_stream == contexts[1], 1);
	equal("a launch in the default stream of another device", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL), INVALID_HANDLE);
	equal("a launch in a stream of the function's device", cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, s, args, NULL), 0);
	equal("its result", cudaStreamSynchronize(s) == 0 && cuMemcpyDtoH_v2(&value, p, 4) == 0 ? value : -1, 11);
	MUST(cuMemAlloc_v2(&p, 4));
	equal("a library's kernel on another device", cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL) == 0 && cuMemcpyDtoH_v2(&value, p, 4) == 0 ? value : -1, 11);
	MUST(cuLibraryGetGlobal(&globals[0], NULL, library, "own"));
	MUST(cuCtxPushCurrent_v2(contexts[1]));
	MUST(cuLibraryGetGlobal(&globals[1], NULL, library, "own"));
	equal("a library's variable of each device", globals[0] != globals[1], 1);
	equal("access by contexts", cuCtxEnablePeerAccess(contexts[0], 0), 0);
	equal("twice", cuCtxEnablePeerAccess(contexts[0], 0), ENABLED);
	equal("not to itself", cuCtxEnablePeerAccess(contexts[1], 0), INVALID_DEVICE);
	MUST(cuCtxDisablePeerAccess(contexts[0]));
	MUST(cuCtxDestroy_v2(contexts[1]));
}

// A graph that is captured on two devices, and launched on a third one.
static void graphs(void) {
	handle one, two, graph, exec, e, back;
	int *p[2], first = 21, second = 22;
	for (int d = 0; d < 2; d++) {
		MUST(cudaSetDevice(d));
		MUST(cudaMalloc(&p[d], 4));
		MUST(cudaMemset(p[d], 0, 4));
		MUST(cudaStreamCreateWithFlags(d == 0 ? &one : &two, 1));
		MUST(cudaEventCreate(d == 0 ? &e : &back));
		MUST(cudaDeviceSynchronize());
	}
	void *args[2][2] = {{&p[0], &first}, {&p[1], &second}};
	MUST(cudaSetDevice(0));
	MUST(cudaStreamBeginCapture(one, 2));
	MUST(cudaLaunchKernel(&put, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args[0], 0, one));
	MUST(cudaEventRecord(e, one));
	MUST(cudaStreamWaitEvent(two, e, 0));
	equal("a captured launch of another device", cudaLaunchKernel(&put, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args[1], 0, two), INVALID_HANDLE);
	MUST(cudaSetDevice(1));
	MUST(cudaLaunchKernel(&put, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args[1], 0, two));
	MUST(cudaEventRecord(back, two));
	MUST(cudaStreamWaitEvent(one, back, 0));
	MUST(cudaStreamEndCapture(one, &graph));
	MUST(cudaSetDevice(2));
	MUST(cudaGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cudaGraphLaunch(exec, NULL));
	MUST(cudaDeviceSynchronize());
	equal("nodes on their devices", 100 * value_of(p[0]) + value_of(p[1]), 2122);
}

static void resets(void) {
	int *kept, *gone, *pinned, value = 0;
	handle stream;
	unsigned before = *all;
	MUST(cudaSetDevice(0));
	MUST(cudaMalloc(&kept, 4));
	MUST(cudaMemset(kept, 1, 4));
	MUST(cudaDeviceSynchronize());
	MUST(cudaMallocHost(&pinned, 4));
	MUST(cudaStreamCreate(&stream));
	MUST(cudaSetDevice(1));
	MUST(cudaMalloc(&gone, 4));
	MUST(cudaDeviceReset());
	equal("memory of a device that is reset", cudaFree(gone), INVALID_VALUE);
	equal("memory of another device", value_of(kept), 0x01010101);
	equal("its stream", cudaStreamSynchronize(stream), 0);
	*pinned = 1;
	MUST(counted());
	MUST(cudaMemcpyFromSymbol(&value, &own, sizeof value, 0, TO_HOST));
	equal("a variable after a reset", value, 1);
	equal("a variable of all after a reset", *all, before + 1);
}

// A store without access to the memory of another device.
static void refused(const char *what) {
	int *p;
	MUST(cudaSetDevice(1));
	if (strcmp(what, "pool") == 0)
		MUST(cudaMallocAsync(&p, 4, NULL));
	else if (strcmp(what, "variable") == 0)
		MUST(cudaGetSymbolAddress(&p, &own));
	else
		MUST(cudaMalloc(&p, 4));
	MUST(cudaDeviceSynchronize());
	MUST(cudaSetDevice(strcmp(what, "one way") == 0 ? 1 : 0));
	if (strcmp(what, "memory") != 0 && strcmp(what, "variable") != 0)
		MUST(cudaDeviceEnablePeerAccess(strcmp(what, "one way") == 0 ? 0 : 1, 0));
	MUST(cudaSetDevice(0));
	equal("refused", put_at(p, 1, NULL), ILLEGAL);
}

int main(int argc, char **argv) {
	void **module = __cudaRegisterFatBinary(&wrapper);
	__cudaRegisterFunction(module, &put, "put", "put", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &count, "count", "count", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &await, "await", "await", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(module, &own, "own", "own", 0, 4, 0, 0);
	__cudaRegisterManagedVar(module, (void **)&all, "all", "all", 0, 4, 0, 0);
	if (argc > 1) {
		refused(argv[1]);
		return 0;
	}
	current();
	identities();
	management();
	__cudaInitModule(module);
	variables();
	streams();
	peers();
	pools();
	virtual();
	driver();
	graphs();
	resets();
	hosts();
	return 0;
}
