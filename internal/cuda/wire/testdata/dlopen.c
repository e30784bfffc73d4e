// A program that loads the libraries when it runs, uses them and unloads them, as interpreters do.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static int use(const char *library, const char *allocate, const char *release) {
	void *l = dlopen(library, RTLD_NOW);
	if (l == NULL) {
		printf("%s: %s\n", library, dlerror());
		return 1;
	}
	int (*init)(unsigned) = dlsym(l, "cuInit");
	int (*managed)(void *, size_t, unsigned) = dlsym(l, allocate);
	int (*free_memory)(void *) = dlsym(l, release);
	uint64_t p = 0;
	int error = init != NULL ? init(0) : 0;
	if (error == 0)
		error = managed(&p, 100, 1);
	if (error == 0)
		*(volatile char *)p = 1;
	if (error == 0)
		error = free_memory((void *)p);
	return error != 0 || dlclose(l) != 0;
}

int main(void) {
	static const char *const runtimes[] = {"libcudart.so", "libcudart.so.10.0", "libcudart.so.10.1", "libcudart.so.10.2", "libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13"};
	int bad = 0;
	for (int round = 0; round < 3; round++) {
		for (unsigned i = 0; i < sizeof runtimes / sizeof *runtimes; i++)
			bad += use(runtimes[i], "cudaMallocManaged", "cudaFree");
		bad += use("libcuda.so", "cuMemAllocManaged", "cuMemFree_v2");
	}
	printf("%s\n", bad == 0 ? "right" : "wrong");
	return bad;
}
