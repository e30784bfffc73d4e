// What a static runtime does that is not redirected: it asks the driver for what no documentation has.
#include <dlfcn.h>
#include <stdio.h>

int use(void) {
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int (*table)(const void **, const void *) = dlsym(driver, "cuGetExportTable");
	const void *found;
	printf("%d\n", table(&found, "0123456789abcde"));
	return 7;
}
