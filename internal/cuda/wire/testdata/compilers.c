// Stand-ins for NVRTC, of which a static one lacks some functions here, and nvJitLink (PART 1), and a program that asks them for machine code (PART 2): it gets what it can load.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PTX = 2, LTOIR = 3 };

#if PART == 1
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry compiled() { ret; }\n";
static const char made[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry optimised() { ret; }\n";

static int wrong(const char *name) {
	printf("%s was not redirected\n", name);
	exit(9);
}

int nvrtcGetPTXSize(void *program, size_t *size) { return *size = sizeof text, program == NULL; }
int nvrtcGetPTX(void *program, char *to) { return memcpy(to, text, sizeof text), program == NULL; }
int nvrtcGetCUBINSize(void *program, size_t *size) { return *size = 1, wrong("nvrtcGetCUBINSize") + (program == NULL); }
int nvrtcGetCUBIN(void *program, char *to) { return *to = 0, wrong("nvrtcGetCUBIN") + (program == NULL); }

#ifndef STATIC
int last_is_lines; // the last option of the latest compilation is -lineinfo
int nvrtcCreateProgram(void **program, const char *text, const char *name, int n, const char *const *headers, const char *const *names) {
	*program = &last_is_lines;
	return text == NULL || name == NULL || n != 0 || headers != names;
}
int nvrtcDestroyProgram(void **program) { return *program = NULL, 0; }
int nvrtcCompileProgram(void *program, int n, const char *const *options) {
	last_is_lines = n > 0 && strcmp(options[n - 1], "-lineinfo") == 0;
	return program == NULL;
}
#endif

// Of nvJitLink, what the second copy does with LTO-IR; there, a function is not redirected. AddFile, GetLinkedCubin and others are not called.
int nvJitLinkCreate(void **h, unsigned n, const char **options) {
	for (unsigned i = 0; i < n; i++)
		if (strcmp(options[i], "-ptx") == 0)
			return *h = calloc(1, 8), 0;
	return wrong("nvJitLinkCreate");
}
int __nvJitLinkCreate_13_5(void **h, unsigned n, const char **options) { return wrong("__nvJitLinkCreate_13_5") + (h == NULL) + (n == 0) + (options == NULL); }
int nvJitLinkDestroy(void **h) { return free(*h), 0; }
int nvJitLinkAddData(void *h, int type, const void *data, size_t size, const char *name) { return h == NULL || type != LTOIR || size != 4 || data == NULL || name == NULL; }
int nvJitLinkComplete(void *h) { return h == NULL; }
int nvJitLinkGetLinkedCubinSize(void *h, size_t *size) { return *size = 1, wrong("nvJitLinkGetLinkedCubinSize") + (h == NULL); }
int nvJitLinkGetLinkedCubin(void *h, char *to) { return *to = 0, wrong("nvJitLinkGetLinkedCubin") + (h == NULL); }
int nvJitLinkGetLinkedPtxSize(void *h, size_t *size) { return *size = sizeof made, h == NULL; }
int nvJitLinkGetLinkedPtx(void *h, char *to) { return memcpy(to, made, sizeof made), h == NULL; }
int nvJitLinkGetErrorLogSize(void *h, size_t *size) { return *size = 1, h == NULL; }
int nvJitLinkGetErrorLog(void *h, char *to) { return *to = 0, h == NULL; }
#endif

#if PART == 2
int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *), cuModuleGetFunctionCount(unsigned *, void *);

#define CALL(name, ...) ((int (*)())dlsym(library, name))(__VA_ARGS__)

// loads prints whether an image is one of a module with a kernel.
static void loads(const char *what, const void *image, const char *kernel) {
	void *module, *f;
	printf("%s: %s\n", what, cuModuleLoadData(&module, image) == 0 && cuModuleGetFunction(&f, module, kernel) == 0 ? "right" : "WRONG");
}

// linked links two inputs and returns the image, which the program asks for as machine code.
static char *linked(void *library, const char *create, int type, const char *data, size_t size) {
	static const char other[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry beside() { ret; }\n";
	const char *options[] = {"-arch=sm_80", "-lto"};
	void *h = NULL;
	size_t n = 0;
	int error = CALL(create, &h, 2, options) + CALL("nvJitLinkAddData", h, PTX, other, sizeof other, "other") + CALL("nvJitLinkAddData", h, type, data, size, "data");
	error += CALL("nvJitLinkComplete", h) + CALL("nvJitLinkGetLinkedCubinSize", h, &n);
	char *image = calloc(1, n + 1);
	error += CALL("nvJitLinkGetLinkedCubin", h, image) + CALL("nvJitLinkDestroy", &h);
	printf("link: %s\n", error == 0 && n > 1 ? "right" : "WRONG");
	return image;
}

// lines prints whether options come to lines.
static void lines(void *library, void *program, int n, const char *option, int want) {
	int error = CALL("nvrtcCompileProgram", program, n, &option);
	printf("lines: %s\n", error == 0 && *(int *)dlsym(library, "last_is_lines") == want ? "right" : "WRONG");
}

// compiles prints whether a program's PTX has lines and its source, which is gone with the program.
static void compiles(void *library) {
	static const char source[] = "\n\n// ptxsan source a.cu\n//|int a;\n//|\n//|int b;\n";
	char text[4096];
	size_t size = 0, alone = 0;
	void *program, *ended;
	int error = CALL("nvrtcCreateProgram", &program, "int a;\n\nint b;", "a.cu", 0, NULL, NULL);
	lines(library, program, 0, NULL, 1);
	lines(library, program, 1, "-arch=sm_80", 1);
	lines(library, program, 1, "-G", 0);
	error += CALL("nvrtcGetPTXSize", program, &size) + CALL("nvrtcGetPTX", program, text);
	int ends = size == strlen(text) + 1 && size > sizeof source && strcmp(text + size - sizeof source, source) == 0;
	ended = program;
	error += CALL("nvrtcDestroyProgram", &program) + CALL("nvrtcGetPTXSize", ended, &alone);
	printf("source: %s\n", error == 0 && ends && alone == size - sizeof source + 2 ? "right" : "WRONG");
}

int main(int argc, char **argv) {
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL), *context;
	char image[4096];
	size_t size = 0;
	if (argc != 2 || library == NULL || cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0)
		return 2;
	CALL("nvrtcGetCUBINSize", image, &size);
	CALL("nvrtcGetCUBIN", image, image);
	loads("NVRTC", image, "compiled");
	if (dlsym(library, "nvrtcCreateProgram") != NULL)
		compiles(library);
	static const char third[] = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry third() { ret; }\n";
	char *both = linked(library, "__nvJitLinkCreate_13_5", PTX, third, sizeof third - 1);
	loads("linked PTX", both, "third");
	loads("linked PTX", both, "beside");
	loads("linked LTO-IR", linked(library, "nvJitLinkCreate", LTOIR, "\xed\x43\x4e\x7f", 4), "optimised");
	free(both);
	return 0;
}
#endif
