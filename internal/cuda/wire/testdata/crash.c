// A program that ends by a signal, as its argument says.
#include "check.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

int cudaMalloc(void *, size_t), cudaMemcpy(void *, const void *, size_t, int);

static volatile int sink;

static int deep(int n) {
	volatile char frame[4096];
	frame[0] = (char)n;
	return n < 0 ? 0 : deep(n + 1) + frame[0];
}

__attribute__((noinline)) static void poke(volatile int *p) { *p = 1; }

static void handler(int number) {
	(void)number;
	_exit(7);
}

int main(int argc, char **argv) {
	char *device, *nowhere = (char *)64;
	const char *how = argv[argc - 1];
	MUST(cudaMalloc(&device, 1 << 20));
	if (strcmp(how, "store") == 0)
		poke((int *)nowhere);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "stack") == 0)
		sink = deep(1);
	if (strcmp(how, "write") == 0)
		cudaMemcpy(device, nowhere, 1000, 1);
	if (strcmp(how, "read") == 0)
		cudaMemcpy(nowhere, device, 100, 2);
	if (strcmp(how, "read much") == 0)
		cudaMemcpy(nowhere, device, 1 << 20, 2);
	if (strcmp(how, "raise") == 0)
		raise(SIGFPE);
	signal(SIGSEGV, handler);
	poke((int *)nowhere);
}
