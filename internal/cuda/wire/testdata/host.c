// A program whose host code touches memory that kernels use: with and without a wait, from two
// threads, in a function that a stream calls, in a child, and beside handlers of signals that it
// has itself. Functions whose names begin with racy do what they must not.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct { unsigned x, y, z; } dim3;
typedef void *handle;

void **__cudaRegisterFatBinary(void *), __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
int cudaMalloc(void *, size_t), cudaMallocManaged(void *, size_t, unsigned), cudaMallocHost(void *, size_t), cudaHostRegister(void *, size_t, unsigned), cudaHostGetDevicePointer(void *, void *, unsigned), cudaHostUnregister(void *);
int cudaFree(void *), cudaMemcpyAsync(void *, const void *, size_t, int, handle), cudaMemset(void *, int, size_t);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, handle), cudaDeviceSynchronize(void), cudaStreamCreate(handle *), cudaStreamSynchronize(handle), cudaLaunchHostFunc(handle, void (*)(void *), void *);

enum { N = 2048, BLOCK = 32, TO_DEVICE = 1, FROM_DEVICE = 2 };
static char add, ptx[1 << 14];

#define MUST(call) must(call, #call)
static void must(int error, const char *what) {
	if (error != 0)
		printf("%s: error %d\n", what, error), exit(9);
}

static void launch(handle stream, int *p, int n) {
	void *args[] = {&p, &n};
	MUST(cudaLaunchKernel(&add, (dim3){1, 1, 1}, (dim3){BLOCK, 1, 1}, args, 0, stream));
}

static void equal(const char *what, long got, long want) { printf("%s: %s\n", what, got == want ? "right" : "wrong"); }

static long sum(const int *p) {
	long total = 0;
	for (int i = 0; i < N; i++)
		total += p[i];
	return total;
}

static void racy_read(handle stream, int *managed) { // the host reads what the kernel writes
	launch(stream, managed, 1);
	equal("read", sum(managed), BLOCK);
	MUST(cudaStreamSynchronize(stream));
}

static void racy_copy(handle stream, int *pinned, int *device) { // the host writes what is being copied
	MUST(cudaMemcpyAsync(device, pinned, N * sizeof *pinned, TO_DEVICE, stream));
	memset(pinned, 7, N * sizeof *pinned);
	MUST(cudaStreamSynchronize(stream));
}

static void racy_registered(handle stream, int *registered, int *device) {
	launch(stream, device, 5);
	registered[0]++; // read and written
	MUST(cudaStreamSynchronize(stream));
	equal("registered", registered[0], 6);
}

static sigjmp_buf back;
static void own_handler(int number) { siglongjmp(back, number); }

static void signals(handle stream, int *managed) { // a handler of the application's gets what is not about shared memory
	launch(stream, managed, 1);
	signal(SIGSEGV, own_handler);
	launch(stream, managed, 1);
	if (sigsetjmp(back, 1) == 0)
		*(volatile int *)64 = 1;
	else
		printf("handler: right\n");
	launch(stream, managed, 1);
	pid_t child = fork(); // which has no device, and may touch the memory
	if (child == 0)
		_exit(managed[0] > 0 ? 0 : 1);
	int status = -1;
	waitpid(child, &status, 0);
	equal("child", status, 0);
	MUST(cudaStreamSynchronize(stream));
}

static void in_stream(void *managed) { equal("function", *(int *)managed > 0, 1); }

static void files(int *managed) { // system calls see memory that the host has waited for
	FILE *f = tmpfile();
	equal("written", write(fileno(f), managed, N * sizeof *managed), N * sizeof *managed);
	fclose(f);
}

static void *worker(void *data) {
	handle stream;
	int *mine;
	MUST(cudaStreamCreate(&stream));
	MUST(cudaMallocManaged(&mine, N * sizeof *mine, 1));
	long bad = 0;
	for (int i = 1; i <= 100; i++) {
		launch(stream, mine, 1);
		MUST(cudaStreamSynchronize(stream));
		bad += sum(mine) != (long)i * BLOCK;
	}
	*(long *)data = bad;
	MUST(cudaFree(mine));
	return NULL;
}

int main(int argc, char **argv) {
	static struct { int magic, version; const void *image; void *more; } wrapper = {0x466243b1, 1, ptx, NULL};
	FILE *f = fopen(argv[argc - 1], "r");
	if (f == NULL || fread(ptx, 1, sizeof ptx - 1, f) == 0)
		return 8;
	fclose(f);
	__cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &add, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
	handle stream;
	int *managed, *pinned, *device, *registered = aligned_alloc(4096, N * sizeof *registered), *alias;
	MUST(cudaStreamCreate(&stream));
	MUST(cudaMallocManaged(&managed, N * sizeof *managed, 1));
	MUST(cudaMallocHost(&pinned, N * sizeof *pinned));
	MUST(cudaMalloc(&device, N * sizeof *device));
	memset(registered, 0, N * sizeof *registered);
	MUST(cudaHostRegister(registered, N * sizeof *registered, 0));
	MUST(cudaHostGetDevicePointer(&alias, registered, 0));

	racy_read(stream, managed);
	racy_copy(stream, pinned, device);
	racy_registered(stream, registered, alias);
	signals(stream, managed);
	launch(stream, managed, 1);
	MUST(cudaLaunchHostFunc(stream, in_stream, managed));
	MUST(cudaMemcpyAsync(pinned, managed, N * sizeof *managed, FROM_DEVICE, stream));
	MUST(cudaStreamSynchronize(stream));
	equal("copied", sum(pinned), sum(managed));
	files(managed);
	MUST(cudaHostUnregister(registered));
	equal("unregistered", registered[0], 6);

	pthread_t threads[2];
	long bad[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, worker, &bad[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	equal("threads", bad[0] + bad[1], 0);
	free(registered);
	return 0;
}
