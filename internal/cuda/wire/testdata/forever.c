// A program that a signal ends while its kernel runs.
#include "check.h"

#include <stdint.h>
#include <unistd.h>

typedef void *handle;
int cuInit(unsigned), cuDevicePrimaryCtxRetain(handle *, int), cuCtxSetCurrent(handle), cuModuleLoad(handle *, const char *), cuModuleGetFunction(handle *, handle, const char *), cuMemAlloc_v2(uint64_t *, size_t);
int cuLaunchKernel(handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, handle, void **, void **);

int main(int argc, char **argv) {
	handle context, module, forever;
	uint64_t data;
	(void)argc;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&forever, module, "forever"));
	MUST(cuMemAlloc_v2(&data, 64));
	ualarm(200000, 0);
	return cuLaunchKernel(forever, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){&data}, NULL);
}
