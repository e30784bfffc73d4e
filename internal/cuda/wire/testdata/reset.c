// A program of CUDA's runtime API that resets the device: memory, handles and variables from before,
// and the fresh context after it.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;
typedef void *handle;
struct channel { int x, y, z, w, kind; };
struct resource { int kind; union { handle array; char room[56]; }; };
struct texture { int address[3], filter, read, srgb; float border[4]; int normalized; unsigned more[8]; };
struct kernel_params { void *function; dim3 grid, block; unsigned shared; void **params, **extra; };

void **__cudaRegisterFatBinary(void *), __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, size_t, int, int);
char __cudaInitModule(void **);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
int cudaMalloc(void *, size_t), cudaMallocManaged(void *, size_t, unsigned), cudaFree(void *), cudaMemcpy(void *, const void *, size_t, int), cudaMemset(void *, int, size_t);
int cudaMemcpyAsync(void *, const void *, size_t, int, handle), cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *), cudaHostGetDevicePointer(void *, void *, unsigned);
int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int), cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, int), cudaGetSymbolAddress(void *, const void *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, handle), cudaDeviceSynchronize(void), cudaDeviceReset(void), cudaGetLastError(void), cudaMemGetInfo(size_t *, size_t *);
int cudaStreamCreate(handle *), cudaStreamDestroy(handle), cudaStreamSynchronize(handle), cudaEventCreate(handle *), cudaEventRecord(handle, handle), cudaEventDestroy(handle);
int cudaGraphCreate(handle *, unsigned), cudaGraphAddKernelNode(handle *, handle, const handle *, size_t, const struct kernel_params *), cudaGraphInstantiate(handle *, handle, handle *, char *, size_t), cudaGraphLaunch(handle, handle);
int cudaMallocArray(handle *, const struct channel *, size_t, size_t, unsigned), cudaFreeArray(handle), cudaCreateTextureObject(uint64_t *, const struct resource *, const struct texture *, const void *);
const char *cudaGetErrorName(int);

enum { TO_DEVICE = 1, FROM_DEVICE = 2, INVALID_VALUE = 1, INVALID_HANDLE = 400, ILLEGAL_ADDRESS = 700 };

static char add, sample, total; // whose addresses stand for kernels and a variable
static int *counters;           // a managed variable, once the module is initialised
static char ptx[1 << 14];

static void launch(handle stream, int *p, int n) {
	void *args[] = {&p, &n};
	MUST(cudaLaunchKernel(&add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, stream));
}

static int *before; // memory, and handles
static handle stream, event, graph, exec_graph, array;
static uint64_t object;

static void use(int *registered) {
	int *managed, *device, words[2] = {30, 40};
	struct channel c = {32, 0, 0, 0, 2};
	struct kernel_params k = {&add, {1, 1, 1}, {32, 1, 1}, 0, (void *[]){&before, &words[0]}, NULL};
	MUST(cudaMalloc(&before, 128));
	MUST(cudaMallocManaged(&managed, 128, 1));
	MUST(cudaStreamCreate(&stream));
	MUST(cudaEventCreate(&event));
	MUST(cudaGraphCreate(&graph, 0));
	handle node;
	MUST(cudaGraphAddKernelNode(&node, graph, NULL, 0, &k));
	MUST(cudaGraphInstantiate(&exec_graph, graph, NULL, NULL, 0));
	MUST(cudaMallocArray(&array, &c, 4, 3, 0));
	MUST(cudaCreateTextureObject(&object, &(struct resource){0, {array}}, &(struct texture){0}, NULL));
	MUST(cudaMemcpyToSymbol(&total, words, 8, 0, TO_DEVICE));
	MUST(cudaHostRegister(registered, 4096, 0));
	MUST(cudaHostGetDevicePointer(&device, registered, 0));
	launch(stream, device, 1);
	launch(stream, before, 1);
	launch(NULL, counters, 100);
	MUST(cudaEventRecord(event, stream));
}

// Nothing from before the reset is there.
static void gone(void) {
	int word = 0;
	handle again;
	equal("memory", cudaFree(before), INVALID_VALUE);
	equal("copy", cudaMemcpy(&word, before, 4, FROM_DEVICE), INVALID_VALUE);
	equal("array", cudaFreeArray(array), INVALID_VALUE);
	equal("stream", cudaStreamSynchronize(stream), INVALID_HANDLE);
	equal("copy in the stream", cudaMemcpyAsync(&word, before, 4, FROM_DEVICE, stream), INVALID_HANDLE);
	equal("event in the stream", cudaEventRecord(event, NULL), INVALID_HANDLE);
	equal("event", cudaEventDestroy(event), INVALID_HANDLE);
	equal("graph", cudaGraphLaunch(exec_graph, NULL), INVALID_HANDLE);
	MUST(cudaStreamCreate(&again)); // which is not taken for the one from before
	equal("stream, destroyed", cudaStreamDestroy(stream), INVALID_HANDLE);
	MUST(cudaStreamDestroy(again));
	cudaGetLastError();
}

// A kernel that is given a pointer or a texture from before faults.
static void faults(void) {
	float *out;
	launch(NULL, before, 1);
	equal("kernel with a pointer from before", cudaDeviceSynchronize(), ILLEGAL_ADDRESS);
	MUST(cudaDeviceReset());
	MUST(cudaMalloc(&out, 4));
	void *args[] = {&object, &out};
	MUST(cudaLaunchKernel(&sample, (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, NULL));
	equal("kernel with a texture from before", cudaDeviceSynchronize(), ILLEGAL_ADDRESS);
	cudaGetLastError();
}

int main(int argc, char **argv) {
	struct { int magic, version; const void *image; void *more; } wrapper = {0x466243b1, 1, ptx, NULL};
	FILE *f = fopen(argv[argc - 1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	void **module = __cudaRegisterFatBinary(&wrapper);
	__cudaRegisterFunction(module, &add, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &sample, "sample", "sample", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(module, &total, "total", "total", 0, 8, 0, 0);
	__cudaRegisterManagedVar(module, (void **)&counters, "counters", "counters", 0, 128, 0, 0);
	__cudaInitModule(module);
	int *registered = aligned_alloc(4096, 4096), *p, word, first[2], now[2];
	size_t room, rest, all;
	memset(registered, 0, 4096);
	MUST(cudaMemcpyFromSymbol(first, &total, 8, 0, FROM_DEVICE));
	MUST(cudaMemGetInfo(&room, &all));
	use(registered);
	MUST(cudaDeviceReset()); // which waits for all
	equal("registered memory", registered[3], 1);
	equal("registered memory, forgotten", cudaHostUnregister(registered), 713);
	cudaGetLastError();
	MUST(cudaMemGetInfo(&rest, &all));
	equal("free memory", rest, room);
	gone();
	MUST(cudaMemcpyFromSymbol(now, &total, 8, 0, FROM_DEVICE));
	equal("variable", memcmp(first, now, 8), 0);
	equal("managed variable", counters[0], 5);
	launch(NULL, counters, 3);
	MUST(cudaDeviceSynchronize());
	equal("managed variable, changed", counters[0], 8);
	MUST(cudaMalloc(&p, 128));
	equal("other address", p == before, 0);
	MUST(cudaMemset(p, 0, 128));
	launch(NULL, p, 7);
	MUST(cudaMemcpy(&word, p, 4, FROM_DEVICE));
	equal("kernel", word, 7);
	faults();
	MUST(cudaDeviceReset());
	MUST(cudaDeviceReset());
	launch(NULL, before, 1);
	equal("reset after a fault", cudaDeviceReset(), ILLEGAL_ADDRESS);
	equal("reset again", cudaDeviceReset(), 0);
	__cudaUnregisterFatBinary(module);
	return 0;
}
