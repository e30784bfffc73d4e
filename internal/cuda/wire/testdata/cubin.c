// A program of CUDA's driver API that loads a file of machine code as a module, as a library and by its name, and launches
// its kernel k each time.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoad(void **, const char *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuLibraryLoadData(void **, const void *, void *, void *, unsigned, void *, void *, unsigned), cuLibraryGetKernel(void **, void *, const char *), cuKernelGetFunction(void **, void *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD32_v2(uint64_t, unsigned, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

static void must(int error, const char *what) {
	if (error == 0)
		return;
	printf("%s: %d\n", what, error);
	exit(9);
}
#define MUST(call) must(call, #call)

static uint64_t data;

static void launch(const char *how, void *f) {
	void *params[] = {&data};
	unsigned got;
	MUST(cuMemsetD32_v2(data, 0, 1));
	MUST(cuLaunchKernel(f, 1, 1, 1, 2, 1, 1, 0, NULL, params, NULL));
	MUST(cuMemcpyDtoH_v2(&got, data, sizeof got));
	printf("%s: %u\n", how, got);
}

int main(int argc, char **argv) {
	(void)argc;
	void *context, *module, *library, *kernel, *f;
	char *image = malloc(1 << 20);
	FILE *file = fopen(argv[1], "rb");
	if (file == NULL || fread(image, 1, 1 << 20, file) == 0)
		return 8;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuMemAlloc_v2(&data, 4));
	MUST(cuModuleLoadData(&module, image));
	MUST(cuModuleGetFunction(&f, module, "k"));
	launch("data", f);
	MUST(cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 0));
	MUST(cuLibraryGetKernel(&kernel, library, "k"));
	MUST(cuKernelGetFunction(&f, kernel));
	launch("library", f);
	MUST(cuModuleLoad(&module, argv[1]));
	MUST(cuModuleGetFunction(&f, module, "k"));
	launch("file", f);
	return 0;
}
