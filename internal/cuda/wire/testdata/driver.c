// A program of CUDA's driver API, which declares what it uses itself: it adds numbers in
// memory of each kind, launches a kernel that prints, one that races and one that faults, and
// forks before and after it uses the device.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int cuInit(unsigned), cuDeviceGet(int *, int), cuDeviceGetName(char *, int, int), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *), cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemFree_v2(uint64_t), cuMemAllocManaged(uint64_t *, size_t, unsigned), cuMemHostAlloc(void **, size_t, unsigned);
int cuMemHostRegister_v2(void *, size_t, unsigned), cuMemHostUnregister(void *), cuMemHostGetDevicePointer_v2(uint64_t *, void *, unsigned);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD32_v2(uint64_t, unsigned, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuCtxSynchronize(void);
int cuFuncGetAttribute(int *, int, void *), cuOccupancyMaxActiveBlocksPerMultiprocessor(int *, void *, int, size_t), cuOccupancyMaxPotentialBlockSize(int *, int *, void *, void *, size_t, int);
int cuGetErrorName(int, const char **), cuMemPoolExportPointer(void *, uint64_t);

enum { N = 100 };

static void must(int error, const char *what) {
	const char *name = "?";
	if (error == 0)
		return;
	cuGetErrorName(error, &name);
	printf("%s: %s\n", what, name);
	exit(9);
}
#define MUST(call) must(call, #call)

static void *module;

static int launch(const char *name, unsigned threads, uint64_t data, unsigned n) {
	void *f, *params[] = {&data, &n};
	MUST(cuModuleGetFunction(&f, module, name));
	return cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
}

// What a kernel with .maxntid 64 says of itself, and how many blocks of it fit a multiprocessor.
static void attributes(void) {
	enum { MAX_THREADS = 0, PTX_VERSION = 5, BINARY_VERSION = 6 };
	void *f;
	int most, ptx, binary, at, above, grid, block;
	MUST(cuModuleGetFunction(&f, module, "racy"));
	MUST(cuFuncGetAttribute(&most, MAX_THREADS, f));
	MUST(cuFuncGetAttribute(&ptx, PTX_VERSION, f));
	MUST(cuFuncGetAttribute(&binary, BINARY_VERSION, f));
	MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&at, f, 64, 0));
	MUST(cuOccupancyMaxActiveBlocksPerMultiprocessor(&above, f, 65, 0));
	MUST(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
	printf("attributes: %d threads, sm_%d as sm_%d; occupancy %d and %d, block of %d\n", most, ptx, binary, at, above, block);
}

static void check(const char *what, const unsigned *words, unsigned want) {
	MUST(cuCtxSynchronize());
	for (int i = 0; i < N; i++)
		if (words[i] != want) {
			printf("%s: word %d is %u, want %u\n", what, i, words[i], want);
			exit(8);
		}
	printf("%s: right\n", what);
}

static void copies(void) {
	unsigned words[N];
	uint64_t d;
	MUST(cuMemAlloc_v2(&d, sizeof words));
	MUST(cuMemsetD32_v2(d, 5, N));
	MUST(launch("add", N, d, 2));
	MUST(cuMemcpyDtoH_v2(words, d, sizeof words));
	check("device", words, 7);
	MUST(cuMemFree_v2(d));
}

static void shared(void) {
	uint64_t managed, device;
	unsigned *pinned, *own = malloc(N * sizeof *own + 10000);
	MUST(cuMemAllocManaged(&managed, N * 4, 1));
	for (int i = 0; i < N; i++)
		((unsigned *)managed)[i] = 1;
	MUST(launch("add", N, managed, 2));
	check("managed", (unsigned *)managed, 3);
	MUST(cuMemHostAlloc((void **)&pinned, N * 4, 0));
	memset(pinned, 0, N * 4);
	MUST(launch("add", N, (uint64_t)pinned, 4));
	check("pinned", pinned, 4);
	for (int i = 0; i < N; i++)
		own[i] = 10;
	MUST(cuMemHostRegister_v2(own, N * 4, 0));
	MUST(cuMemHostGetDevicePointer_v2(&device, own, 0));
	MUST(launch("add", N, device, 1));
	check("registered", own, 11);
	MUST(launch("add", N, (uint64_t)own, 1));
	check("registered, at the host's address", own, 12);
	MUST(cuMemHostUnregister(own));
	check("unregistered", own, 12);
	free(own);
}

static int in_child(int (*what)(void)) {
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0)
		_exit(what());
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static int use(void) { return cuInit(0); }

int main(int argc, char **argv) {
	char name[64], ptx[8192];
	int device;
	void *context;
	printf("child before: %d\n", in_child(use));
	FILE *f = fopen(argv[1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDeviceGetName(name, sizeof name, device));
	printf("%s\n", name);
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	attributes();
	copies();
	shared();
	printf("child after: %d\n", in_child(use));
	printf("sharing: %d\n", cuMemPoolExportPointer(&context, 0));
	uint64_t word;
	MUST(cuMemAlloc_v2(&word, 4));
	MUST(launch("racy", 2, word, 0));
	MUST(launch("racy", 1, word + 4, 0));
	int fault = cuCtxSynchronize();
	printf("fault: %d, %d\n", fault, cuCtxSynchronize());
	fflush(stdout);
	if (argc > 2)
		abort(); // the report must not be lost
	return 5;
}
