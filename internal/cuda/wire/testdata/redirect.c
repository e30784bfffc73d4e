// A program, or an object of it, that a runtime is linked into statically. A constructor calls the runtime first, as it does where
// nvcc registers kernels. Pages of code are not writable. PART is what the file has: 1 is the object, 2 the program, 3 both.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int cudaRuntimeGetVersion(int *), cudaMalloc(void **, size_t), cudaFree(void *), __cudaInitModule(void **);

int use(void);

#if PART & 1
static int version;
static __thread volatile char large[3000] __attribute__((tls_model("initial-exec"))); // more than the dynamic linker sets aside
__attribute__((constructor(101))) static void before(void) { cudaRuntimeGetVersion(&version); }

int use(void) {
	void *p = NULL;
	large[version % 100] = 1;
	int error = cudaMalloc(&p, 100);
	__cudaInitModule(NULL);
	printf("%d %d %d\n", version, error, cudaFree(p));
	char line[4096], *protection;
	FILE *f = fopen("/proc/self/maps", "r");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if ((protection = strchr(line, ' ')) != NULL && protection[2] == 'w' && protection[3] == 'x')
			printf("writable code: %s", line);
	return 0;
}
#endif

#if PART & 2
int main(int argc, char **argv) {
	void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	if (object == NULL)
		return use();
	return ((int (*)(void))dlsym(object, "use"))();
}
#endif
