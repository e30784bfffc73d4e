// What a static runtime does that is not redirected: it asks the driver for what no documentation has. So do libraries that
// go without (ASKS).
#include <dlfcn.h>
#include <stdio.h>

static int ask(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*table)(const void **, const void *) = dlsym(driver, "cuGetExportTable");
	const void *found;
	return table(&found, "0123456789abcde");
}

#ifdef ASKS
__attribute__((destructor)) static void after(void) {
	if (ask() != 801)
		puts("WRONG");
}
#else
__attribute__((used)) static const char text[] = "__global__ function call is not configured";
__attribute__((used)) static const unsigned char version[] = {0xc7, 0x07, 0xf0, 0x32, 0, 0}; // movl $13040, (%rdi)
int use(void) {
	printf("%d\n", ask());
	return 7;
}
#endif
