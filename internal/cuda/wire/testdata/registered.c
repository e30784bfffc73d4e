// Memory of the host that is registered: ranges that share pages, stacks, what only can be read, files.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int cudaHostRegister(void *, size_t, unsigned), cudaHostUnregister(void *), cudaHostGetDevicePointer(void *, void *, unsigned);
int cudaStreamCreate(void *), cudaStreamSynchronize(void *), cudaMemcpyAsync(void *, const void *, size_t, int, void *), cudaMallocHost(void *, size_t);
int cudaMemset(void *, int, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaMalloc(void *, size_t), cudaDeviceSynchronize(void);

static int status;

static void check(const char *what, int right) {
	printf("%s: %s\n", what, right ? "right" : "wrong");
	status |= !right;
}

static char area[3 << 12] __attribute__((aligned(1 << 12)));

static void pages(void) {
	char *a = area + 100, *b = area + 6000, *c = area + 7000, *da = NULL, *db = NULL, *dc = NULL, *device;
	memset(area, 1, sizeof area);
	check("ranges that share pages", cudaHostRegister(a, 5000, 0) == 0 && cudaHostRegister(b, 100, 0) == 0 && cudaHostRegister(c, 4096, 0) == 0);
	check("the same bytes again", cudaHostRegister(a + 1, 10, 0) == 712);
	check("one view of a page", cudaHostGetDevicePointer(&da, a, 0) == 0 && cudaHostGetDevicePointer(&db, b, 0) == 0 && db - da == b - a);
	check("no view of a part", cudaHostGetDevicePointer(&dc, c, 0) == 801);
	check("what the device writes", cudaMemset(db, 7, 100) == 0 && cudaDeviceSynchronize() == 0 && b[0] == 7 && b[99] == 7 && b[100] == 1);
	check("a copy of a part", cudaMalloc(&device, 4096) == 0 && cudaMemcpy(device, c, 4096, 1) == 0 && (memset(c, 2, 4096), cudaMemcpy(c, device, 4096, 2)) == 0 && c[0] == 1 && c[4095] == 1);
	check("pages that one range leaves", cudaHostUnregister(a) == 0 && cudaMemset(db, 9, 100) == 0 && cudaDeviceSynchronize() == 0 && b[0] == 9);
	check("pages without a range", cudaHostUnregister(b) == 0 && cudaHostUnregister(c) == 0 && b[0] == 9 && b[100] == 1 && a[0] == 1);
}

static void stack(void) {
	int value[4] = {1, 2, 3, 4}, *device = NULL;
	check("memory on the stack", cudaHostRegister(value, sizeof value, 0) == 0 && cudaHostGetDevicePointer(&device, value, 0) == 0);
	check("what the device writes there", cudaMemset(device, 3, 4) == 0 && cudaDeviceSynchronize() == 0 && value[0] == 0x03030303 && value[3] == 4);
	check("the stack without it", cudaHostUnregister(value) == 0 && value[0] == 0x03030303 && value[3] == 4);
}

static void heap(void) {
	char *a = malloc(1000), *b = malloc(1000);
	memset(a, 1, 1000), memset(b, 2, 1000);
	check("memory beside the allocator's own", cudaHostRegister(a, 1000, 0) == 0 && cudaHostRegister(b, 1000, 0) == 0);
	check("the heap without it", cudaHostUnregister(b) == 0 && cudaHostUnregister(a) == 0 && a[999] == 1 && b[0] == 2);
	free(a), free(b);
	check("the heap", (a = malloc(5000)) != NULL && memset(a, 3, 5000) == a);
	free(a);
}

// copied copies a range while it is registered, in a stream, as the host goes on in the frame that may be in the same page.
static int copied(char *p, size_t size) {
	void *stream = NULL, *device = NULL;
	int right = cudaStreamCreate(&stream) == 0 && cudaHostRegister(p, size, 0) == 0 && cudaMalloc(&device, size) == 0;
	right = right && cudaMemcpyAsync(device, p, size, 1, stream) == 0 && cudaMemset(device, 5, 1) == 0 && cudaMemcpyAsync(p, device, size, 2, stream) == 0;
	char text[64];
	right = right && snprintf(text, sizeof text, "%d", right) == 1 && cudaStreamSynchronize(stream) == 0;
	return right && p[0] == 5 && cudaHostUnregister(p) == 0 && p[0] == 5;
}

// deep registers memory far down the stack, which grows further.
static int deep(int levels, int registers) {
	char frame[3000];
	memset(frame, levels, sizeof frame);
	if (levels > 0)
		return deep(levels - 1, registers) && frame[2999] == (char)levels;
	if (!registers)
		return 1;
	int right = cudaHostRegister(frame, sizeof frame, 0) == 0 && deep(200, 0);
	return cudaHostUnregister(frame) == 0 && right && frame[0] == 0;
}

static pthread_barrier_t meet;
static char *theirs;

static void *other(void *unused) {
	char value[100] = {1};
	theirs = value;
	pthread_barrier_wait(&meet);
	pthread_barrier_wait(&meet);
	(void)unused;
	return value[0] == 5 ? &theirs : NULL;
}

static void stacks(void) {
	char value[100] = {1};
	pthread_t thread;
	void *result = NULL;
	check("a stream and the stack", copied(value, sizeof value));
	check("deep down the stack", deep(100, 1));
	pthread_barrier_init(&meet, NULL, 2);
	pthread_create(&thread, NULL, other, NULL);
	pthread_barrier_wait(&meet);
	check("the stack of another thread", copied(theirs, sizeof value));
	pthread_barrier_wait(&meet);
	pthread_join(thread, &result);
	check("what it finds there", result != NULL);
}

static void child(void) {
	static char page[1 << 12] __attribute__((aligned(1 << 12)));
	char value[4] = {1, 2, 3, 4}, *device = NULL;
	int status = 1;
	cudaHostRegister(value, sizeof value, 0), cudaHostRegister(page, 100, 0);
	if (fork() == 0) {
		value[1] = page[1000] = 9;
		_exit(0);
	}
	wait(&status);
	check("memory that a child changes", status == 0 && value[1] == 2 && page[1000] == 0);
	check("memory that the device changes after it", cudaHostGetDevicePointer(&device, page, 0) == 0 && cudaMemset(device, 3, 4) == 0 && cudaDeviceSynchronize() == 0 && page[3] == 3);
	cudaHostUnregister(value), cudaHostUnregister(page);
}

static void mappings(void) {
	char name[] = "registered.XXXXXX", got[4] = {0}, *device = NULL, *view = NULL, *pinned = NULL;
	int fd = mkstemp(name), there = ftruncate(fd, 1 << 13) == 0;
	char *shared = mmap(NULL, 1 << 13, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	char *constant = mmap(NULL, 1 << 12, PROT_READ, MAP_PRIVATE, fd, 0);
	unlink(name);
	check("a file that others see", there && copied(shared, 100) && pread(fd, got, 1, 0) == 1 && got[0] == 5);
	check("no view of a file", cudaHostRegister(shared, 100, 0) == 0 && cudaHostGetDevicePointer(&view, shared, 0) == 801 && cudaHostUnregister(shared) == 0);
	check("what can only be read", cudaHostRegister(constant, 100, 8) == 0 && cudaHostGetDevicePointer(&view, constant, 0) == 0 && cudaMalloc(&device, 4) == 0);
	check("a view of it", cudaMemcpy(device, view, 4, 4) == 0 && cudaMemcpy(got, device, 4, 2) == 0 && got[0] == 5 && got[1] == 0);
	pid_t writer = fork();
	if (writer == 0)
		constant[0] = 1;
	int status = 0;
	waitpid(writer, &status, 0);
	check("a write to it", WIFSIGNALED(status) && cudaHostUnregister(constant) == 0 && constant[0] == 5);
	check("code", cudaHostRegister((void *)(uintptr_t)mappings, 16, 8) == 0 && cudaHostUnregister((void *)(uintptr_t)mappings) == 0);
	munmap(constant, 1 << 12);
	check("nothing", cudaHostRegister(constant, 100, 0) == 1);
	check("more than there is", cudaHostRegister(area, SIZE_MAX, 0) == 1 && cudaHostRegister(area, (size_t)1 << 60, 0) == 1);
	check("pinned memory", cudaMallocHost(&pinned, 100) == 0 && cudaHostRegister(pinned, 100, 0) == 712);
}

int main(void) {
	heap();
	pages();
	stack();
	stacks();
	child();
	mappings();
	return status;
}
