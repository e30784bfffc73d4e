// A memory pool that announces its regions as NVTX's header does: by the functions that the injection library fills in.
#include "check.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef struct {
	unsigned x, y, z;
} dim3;
int cudaMalloc(void *, size_t), cudaFree(void *), cudaDeviceSynchronize(void);
int cudaLibraryLoadData(void **, const void *, int *, void **, unsigned, int *, void **, unsigned), cudaLibraryGetKernel(void **, void *, const char *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);

enum { HEAP_REGISTER, HEAP_UNREGISTER, HEAP_RESET, REGIONS_REGISTER, REGIONS_RESIZE, REGIONS_UNREGISTER, REGIONS_NAME, SLOTS };
static intptr_t functions[SLOTS];
#define CALL(slot, ...) ((void *(*)())functions[slot])(NULL, __VA_ARGS__)

struct range {
	size_t size;
	char *p;
};

static void attach(void) {
	struct {
		size_t id, count;
		intptr_t *functions;
	} segment = {0, SLOTS, functions};
	struct {
		uint16_t version, size, module, compatible;
		size_t segments;
		void *list;
		void *get;
		const void *info;
	} extension = {3, sizeof extension, 1, 0x102, 1, &segment, NULL, NULL};
	void *library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_NOW);
	int (*begin)(void *) = library == NULL ? NULL : (int (*)(void *))dlsym(library, "InitializeInjectionNvtxExtension");
	if (begin == NULL || begin(&extension) != 1) {
		printf("no injection: %s\n", dlerror());
		exit(9);
	}
}

// NVTX's own functions, in tables of pointers to them.
static void (*own[2][16])(void);

static int table(int module, void *list, unsigned *count) {
	static void *places[2][16];
	int at = module == 5;
	for (int i = 0; i < 16; i++)
		places[at][i] = &own[at][i];
	*(void **)list = places[at];
	*count = 16;
	return module == 1 || module == 5;
}

static const void *get(unsigned id) {
	static const struct {
		size_t size;
		int (*table)(int, void *, unsigned *);
	} callbacks = {sizeof callbacks, table};
	return id == 1 ? &callbacks : NULL;
}

enum { PUSH = 9, POP = 11, DOMAIN_PUSH = 4, DOMAIN_POP = 5, REGISTER = 10, CREATE = 12 };

static void ranges(void) {
	int (*begin)(const void *(*)(unsigned)) = (int (*)(const void *(*)(unsigned)))dlsym(dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_NOW), "InitializeInjectionNvtx2");
	if (begin(get) != 1)
		exit(9);
	const void *domain = ((const void *(*)(const char *))own[1][CREATE])("solver");
	struct {
		uint16_t version, size;
		uint32_t category;
		int32_t color_type;
		uint32_t color;
		int32_t payload_type, reserved;
		uint64_t payload;
		int32_t message_type;
		const void *message;
	} attributes = {3, sizeof attributes, .message_type = 3, .message = ((const void *(*)(const void *, const char *))own[1][REGISTER])(domain, "sol\033ve")};
	((int (*)(const char *))own[0][PUSH])("step");
	((int (*)(const void *, const void *))own[1][DOMAIN_PUSH])(domain, &attributes);
	((int (*)(const char *))own[0][PUSH])("ended");
	((int (*)(void))own[0][POP])();
}

static void region(char *heap, char *p, size_t size) {
	struct range r = {size, p};
	struct {
		uint16_t compatible, size;
		uint32_t type;
		void *heap;
		size_t count, element;
		void *list, **handles;
	} batch = {0x102, sizeof batch, 1, heap, 1, sizeof r, &r, NULL};
	CALL(REGIONS_REGISTER, &batch);
}

static void end(char *p) {
	struct {
		uint16_t compatible, size;
		uint32_t type;
		size_t count, element;
		void *list;
	} batch = {0x102, sizeof batch, 1, 1, sizeof p, &p};
	CALL(REGIONS_UNREGISTER, &batch);
}

int main(int argc, char **argv) {
	static char ptx[1 << 14];
	const char *how = argv[argc - 1];
	char *pool;
	void *library, *add;
	FILE *f = fopen(argv[argc - 2], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	MUST(cudaMalloc(&pool, 4096));
	attach();
	ranges();
	struct range all = {2048, pool + 1024};
	struct {
		uint16_t compatible, size;
		uint32_t reserved, usage, type;
		size_t description_size;
		void *description;
		uint32_t category, message_type;
		const char *message;
	} heap = {0x102, sizeof heap, 0, 1, 1, sizeof all, &all, 0, 1, "pool"};
	CALL(HEAP_REGISTER, &heap);
	region(all.p, all.p, 128);
	region(all.p, all.p + 512, 64);
	if (strcmp(how, "ended") == 0)
		end(all.p);
	if (strcmp(how, "reset") == 0)
		CALL(HEAP_RESET, all.p);
	if (strcmp(how, "heap") == 0)
		CALL(HEAP_UNREGISTER, all.p);
	char *p = strcmp(how, "beyond") == 0 ? all.p + 512 : strcmp(how, "beside") == 0 ? pool : all.p;
	int n = 1;
	void *args[] = {&p, &n};
	MUST(cudaLibraryLoadData(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
	MUST(cudaLibraryGetKernel(&add, library, "add"));
	MUST(cudaLaunchKernel(add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, NULL));
	cudaDeviceSynchronize();
	if (strcmp(how, "freed") == 0)
		MUST(cudaFree(pool));
}
