// A program of CUDA's runtime API, which declares what it uses itself, and registers its kernels
// as compilers do: captured and constructed graphs, a texture over an array, copies of
// rectangles and boxes, a variable, streams, events and host functions.
#include "check.h"

#include <stdint.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;
typedef void *handle;
struct channel { int x, y, z, w, kind; };
struct extent { size_t width, height, depth; };
struct pitched { void *ptr; size_t pitch, width, height; };
struct position { size_t x, y, z; };
struct copy3d { void *from_array; struct position from_position; struct pitched from; void *to_array; struct position to_position; struct pitched to; struct extent extent; int kind; };
struct resource { int kind; union { handle array; char room[56]; }; };
struct texture { int address[3], filter, read, srgb; float border[4]; int normalized; unsigned anisotropy; int mip_filter; float bias, least, most; unsigned more[4]; };
struct kernel_params { void *function; dim3 grid, block; unsigned shared; void **params, **extra; };
struct host_params { void (*function)(void *); void *data; };

void **__cudaRegisterFatBinary(void *), __cudaRegisterFatBinaryEnd(void **), __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
void __cudaRegisterManagedVar(void **, void **, char *, const char *, int, size_t, int, int);
char __cudaInitModule(void **);
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int);
int cudaMalloc(void *, size_t), cudaFree(void *), cudaFreeHost(void *), cudaHostRegister(void *, size_t, unsigned), cudaMemcpy(void *, const void *, size_t, int), cudaMemcpyAsync(void *, const void *, size_t, int, handle);
int cudaMallocPitch(void *, size_t *, size_t, size_t), cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, int), cudaMemset(void *, int, size_t), cudaMemsetAsync(void *, int, size_t, handle);
int cudaMalloc3D(struct pitched *, struct extent), cudaMemcpy3D(const struct copy3d *);
int cudaMemcpyToSymbol(const void *, const void *, size_t, size_t, int), cudaMemcpyFromSymbol(void *, const void *, size_t, size_t, int), cudaGetSymbolSize(size_t *, const void *);
int cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, handle), cudaDeviceSynchronize(void), cudaGetLastError(void), cudaPeekAtLastError(void);
int cudaStreamCreate(handle *), cudaStreamDestroy(handle), cudaStreamBeginCapture(handle, int), cudaStreamEndCapture(handle, handle *), cudaStreamWaitEvent(handle, handle, unsigned), cudaLaunchHostFunc(handle, void (*)(void *), void *);
int cudaEventCreate(handle *), cudaEventRecord(handle, handle), cudaEventElapsedTime(float *, handle, handle), cudaEventDestroy(handle);
int cudaGraphCreate(handle *, unsigned), cudaGraphAddKernelNode(handle *, handle, const handle *, size_t, const struct kernel_params *), cudaGraphAddMemcpyNode1D(handle *, handle, const handle *, size_t, void *, const void *, size_t, int);
int cudaGraphAddHostNode(handle *, handle, const handle *, size_t, const struct host_params *), cudaGraphInstantiate(handle *, handle, handle *, char *, size_t), cudaGraphLaunch(handle, handle), cudaGraphExecDestroy(handle), cudaGraphDestroy(handle), cudaGraphGetNodes(handle, handle *, size_t *), cudaGraphClone(handle *, handle), cudaGraphAddDependencies(handle, const handle *, const handle *, size_t), cudaGraphExecKernelNodeSetParams(handle, handle, const struct kernel_params *);
int cudaMallocArray(handle *, const struct channel *, size_t, size_t, unsigned), cudaMemcpy2DToArray(handle, size_t, size_t, const void *, size_t, size_t, size_t, int), cudaFreeArray(handle), cudaCreateTextureObject(uint64_t *, const struct resource *, const struct texture *, const void *);
int cudaMallocMipmappedArray(handle *, const struct channel *, struct extent, unsigned, unsigned), cudaGetMipmappedArrayLevel(handle *, handle, unsigned), cudaFreeMipmappedArray(handle);
struct channel cudaCreateChannelDesc(int, int, int, int, int);
const char *cudaGetErrorName(int);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t), cudaFuncGetAttributes(void *, const void *);

enum { HOST_TO_HOST, TO_DEVICE, FROM_DEVICE };

static char add, sample, level, total; // whose addresses stand for kernels and a variable
static int *counters, *limit;    // managed variables, once the module is initialised
static char ptx[1 << 14];

static void launch(handle stream, int *p, int n) {
	void *args[] = {&p, &n};
	MUST(cudaLaunchKernel(&add, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, stream));
}

// What a kernel says of itself: the architecture of its PTX and of the device, and its .maxntid.
static void attributes(void) {
	struct { size_t memory[3]; int max_threads, registers, ptx, binary, more[64]; } a;
	int blocks;
	MUST(cudaFuncGetAttributes(&a, &add));
	equal("architecture of the PTX", a.ptx, 70);
	equal("architecture of the code", a.binary, 80);
	equal("most threads", a.max_threads, 1024);
	MUST(cudaFuncGetAttributes(&a, &level));
	equal("most threads of a kernel with .maxntid", a.max_threads, 96);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &level, 96, 0));
	equal("occupancy at .maxntid", blocks, 21);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &level, 97, 0));
	equal("occupancy above .maxntid", blocks, 0);
	void *args[] = {&counters, &counters};
	equal("launch above .maxntid", cudaLaunchKernel(&level, (dim3){1, 1, 1}, (dim3){97, 1, 1}, args, 0, NULL), 1);
	equal("last error of the launch", cudaGetLastError(), 1);
}

// Copies without memory on one side are refused, and change nothing.
static void nowhere(int *p) {
	int word = 7;
	MUST(cudaMemcpy(p, &word, 4, TO_DEVICE));
	equal("copy from nowhere", cudaMemcpy(p, NULL, 4, TO_DEVICE), 1);
	equal("copy to nowhere", cudaMemcpy(NULL, p, 4, FROM_DEVICE), 1);
	equal("copy of nothing", cudaMemcpy(NULL, NULL, 0, TO_DEVICE), 0);
	equal("last error of the copies", cudaGetLastError(), 1);
	MUST(cudaMemcpy(&word, p, 4, FROM_DEVICE));
	equal("after these copies", word, 7);
}

// Copies in a direction that is not that of their memory are refused, too, and change nothing.
static void wrong_way(int *p) {
	int words[] = {7, 8}, kinds[] = {HOST_TO_HOST, TO_DEVICE, FROM_DEVICE};
	MUST(cudaMemcpy(p, words, 8, TO_DEVICE));
	equal("copy from the host as from the device", cudaMemcpy(p, words, 4, FROM_DEVICE), 1);
	equal("copy to the host as to the device", cudaMemcpy(words, p + 1, 4, TO_DEVICE), 1);
	equal("copy within the host as from the device", cudaMemcpy(words, words + 1, 4, FROM_DEVICE), 1);
	for (int i = 0; i < 3; i++)
		equal("copy within the device as one with the host", cudaMemcpy(p, p + 1, 4, kinds[i]), 1);
	equal("memory of the device freed as the host's", cudaFreeHost(p), 1);
	equal("memory of the device registered as the host's", cudaHostRegister(p, 128, 0), 1);
	equal("last error of these copies", cudaGetLastError(), 1);
	equal("word of the host after them", words[0], 7);
	MUST(cudaMemcpy(words + 1, p, 4, FROM_DEVICE));
	equal("word of the device after them", words[1], 7);
}

static void count(void *n) { ++*(int *)n; }

// A graph that two streams capture: nothing happens until it is launched.
static void captured(int *p) {
	handle a, b, fork, join, graph, exec;
	int called = 0, word;
	size_t nodes = 0;
	MUST(cudaStreamCreate(&a));
	MUST(cudaStreamCreate(&b));
	MUST(cudaEventCreate(&fork));
	MUST(cudaEventCreate(&join));
	MUST(cudaStreamBeginCapture(a, 0));
	MUST(cudaMemsetAsync(p, 0, 128, a));
	MUST(cudaEventRecord(fork, a));
	MUST(cudaStreamWaitEvent(b, fork, 0));
	launch(b, p, 5);
	MUST(cudaEventRecord(join, b));
	MUST(cudaStreamWaitEvent(a, join, 0));
	launch(a, p, 2);
	MUST(cudaLaunchHostFunc(a, count, &called));
	MUST(cudaMemcpyAsync(&word, p + 31, 4, FROM_DEVICE, a));
	MUST(cudaStreamEndCapture(a, &graph));
	equal("captured, not called", called, 0);
	MUST(cudaGraphGetNodes(graph, NULL, &nodes));
	equal("captured nodes", nodes, 5);
	MUST(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
	MUST(cudaGraphLaunch(exec, a));
	MUST(cudaGraphLaunch(exec, a));
	equal("captured, called", called, 2);
	equal("captured word", word, 7);
	MUST(cudaDeviceSynchronize());
	launch(b, p, 1); // which executes again
	MUST(cudaMemcpy(&word, p, 4, FROM_DEVICE));
	equal("after the capture", word, 8);
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(graph));
	MUST(cudaStreamDestroy(a));
	MUST(cudaStreamDestroy(b));
	MUST(cudaEventDestroy(fork));
	MUST(cudaEventDestroy(join));
}

// A graph that is put together, and a copy of it.
static void constructed(int *p) {
	handle graph, clone, exec, kernel, host, copy;
	int called = 0, n = 10, words[32];
	void *args[] = {&p, &n};
	struct kernel_params k = {&add, {1, 1, 1}, {32, 1, 1}, 0, args, NULL};
	MUST(cudaMemset(p, 0, 128));
	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &k));
	n = 99; // the node has the value from before
	MUST(cudaGraphAddHostNode(&host, graph, &kernel, 1, &(struct host_params){count, &called}));
	MUST(cudaGraphAddMemcpyNode1D(&copy, graph, &host, 1, words, p, sizeof words, FROM_DEVICE));
	MUST(cudaGraphClone(&clone, graph));
	MUST(cudaGraphDestroy(graph));
	MUST(cudaGraphInstantiate(&exec, clone, NULL, NULL, 0));
	MUST(cudaGraphLaunch(exec, NULL));
	equal("constructed word", words[5], 10);
	equal("constructed, called", called, 1);
	MUST(cudaGraphExecDestroy(exec));
	MUST(cudaGraphDestroy(clone));
}

// A graph whose nodes depend on later ones: two kernels come before the copy that was added first.
static void turned(int *p) {
	enum { INVALID = 1 };
	handle graph, exec, copy, kernels[2], other, foreign;
	int n = 3, words[32] = {0};
	void *args[] = {&p, &n};
	struct kernel_params k = {&add, {1, 1, 1}, {32, 1, 1}, 0, args, NULL};
	MUST(cudaMemset(p, 0, 128));
	MUST(cudaGraphCreate(&graph, 0));
	MUST(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, words, p, sizeof words, FROM_DEVICE));
	MUST(cudaGraphAddKernelNode(&kernels[0], graph, NULL, 0, &k));
	MUST(cudaGraphAddKernelNode(&kernels[1], graph, NULL, 0, &k));
	MUST(cudaGraphAddDependencies(graph, &kernels[1], &kernels[0], 1));
	MUST(cudaGraphAddDependencies(graph, kernels, (handle[]){copy, copy}, 2));
	MUST(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
	MUST(cudaGraphLaunch(exec, NULL));
	equal("a copy behind kernels that were added later", words[5], 6);
	n = 10;
	MUST(cudaGraphExecKernelNodeSetParams(exec, kernels[0], &k));
	MUST(cudaGraphLaunch(exec, NULL));
	equal("the node that was changed", words[5], 6 + 13);
	MUST(cudaGraphCreate(&other, 0));
	MUST(cudaGraphAddKernelNode(&foreign, other, NULL, 0, &k));
	equal("a dependency on a node of another graph", cudaGraphAddDependencies(graph, &foreign, &copy, 1), INVALID);
	equal("and of a new node", cudaGraphAddKernelNode(&foreign, graph, &foreign, 1, &k), INVALID);
	MUST(cudaGraphAddDependencies(graph, &copy, &kernels[1], 1));
	MUST(cudaGraphExecDestroy(exec));
	equal("a circle", cudaGraphInstantiate(&exec, graph, NULL, NULL, 0), INVALID);
	MUST(cudaGraphDestroy(other));
	MUST(cudaGraphDestroy(graph));
}

// A texture over an array of 4 x 3 floats, which is sampled at each texel and outside.
static void textured(void) {
	float texels[12], *out, got[20];
	struct channel c = cudaCreateChannelDesc(32, 0, 0, 0, 2);
	handle array;
	uint64_t object;
	for (int i = 0; i < 12; i++)
		texels[i] = i;
	MUST(cudaMallocArray(&array, &c, 4, 3, 0));
	MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 3, TO_DEVICE));
	struct resource r = {0, {array}};
	struct texture t = {.address = {1, 1, 1}}; // clamp
	MUST(cudaCreateTextureObject(&object, &r, &t, NULL));
	MUST(cudaMalloc(&out, sizeof got));
	void *args[] = {&object, &out};
	MUST(cudaLaunchKernel(&sample, (dim3){1, 1, 1}, (dim3){5, 4, 1}, args, 0, NULL));
	MUST(cudaMemcpy(got, out, sizeof got, FROM_DEVICE));
	int wrong = 0;
	for (int y = 0; y < 4; y++)
		for (int x = 0; x < 5; x++)
			wrong += got[5 * y + x] != texels[4 * (y < 3 ? y : 2) + (x < 4 ? x : 3)];
	equal("texels", wrong, 0);
	MUST(cudaFreeArray(array));
	MUST(cudaFree(out));
}

// A mipmapped array, of which each level holds its number.
static void levels(void) {
	handle mipmap, array;
	struct channel c = cudaCreateChannelDesc(32, 0, 0, 0, 2);
	MUST(cudaMallocMipmappedArray(&mipmap, &c, (struct extent){4, 4, 0}, 9, 0));
	float texels[16], *out, got[3];
	for (int l = 0, n = 4; l < 3; l++, n /= 2) {
		for (int i = 0; i < 16; i++)
			texels[i] = l + 1;
		MUST(cudaGetMipmappedArrayLevel(&array, mipmap, l));
		MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 4 * n, 4 * n, n, TO_DEVICE));
	}
	equal("levels", cudaGetMipmappedArrayLevel(&array, mipmap, 3), 1);
	uint64_t object;
	struct resource r = {1, {mipmap}};
	struct texture t = {.normalized = 1, .most = 2};
	MUST(cudaCreateTextureObject(&object, &r, &t, NULL));
	MUST(cudaMalloc(&out, sizeof got));
	void *args[] = {&object, &out};
	MUST(cudaLaunchKernel(&level, (dim3){1, 1, 1}, (dim3){3, 1, 1}, args, 0, NULL));
	MUST(cudaMemcpy(got, out, sizeof got, FROM_DEVICE));
	equal("texels of levels", got[0] == 1 && got[1] == 2 && got[2] == 3, 1);
	MUST(cudaFreeMipmappedArray(mipmap));
	MUST(cudaFree(out));
}

static void shapes(void) {
	char in[60], out[60] = {0}, *p;
	size_t pitch;
	for (int i = 0; i < 60; i++)
		in[i] = i;
	MUST(cudaMallocPitch(&p, &pitch, 10, 6));
	MUST(cudaMemcpy2D(p, pitch, in, 10, 10, 6, TO_DEVICE));
	MUST(cudaMemcpy2D(out, 10, p, pitch, 10, 6, FROM_DEVICE));
	equal("rectangle", memcmp(in, out, 60), 0);
	struct pitched box;
	MUST(cudaMalloc3D(&box, (struct extent){5, 4, 3}));
	memset(out, 0, 60);
	struct copy3d c = {.from = {in, 5, 5, 4}, .to = box, .extent = {5, 4, 3}, .kind = TO_DEVICE};
	MUST(cudaMemcpy3D(&c));
	struct copy3d back = {.from = box, .from_position = {1, 2, 1}, .to = {out, 4, 4, 2}, .extent = {4, 2, 2}, .kind = FROM_DEVICE};
	MUST(cudaMemcpy3D(&back));
	equal("box", out[5], in[20 + 15 + 1 + 1]);
	equal("last of the box", out[15], in[40 + 15 + 4]);
}

int main(int argc, char **argv) {
	struct { int magic, version; const void *image; void *more; } wrapper = {0x466243b1, 1, ptx, NULL};
	FILE *f = fopen(argv[argc - 1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	void **module = __cudaRegisterFatBinary(&wrapper);
	__cudaRegisterFunction(module, &add, "add", "add", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &sample, "sample", "sample", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterFunction(module, &level, "level", "level", -1, NULL, NULL, NULL, NULL, NULL);
	__cudaRegisterVar(module, &total, "total", "total", 0, 8, 0, 0);
	__cudaRegisterManagedVar(module, (void **)&counters, "counters", "counters", 0, 128, 0, 0);
	__cudaRegisterManagedVar(module, (void **)&limit, "limit", "limit", 0, 4, 0, 0);
	__cudaInitModule(module);
	int *p, blocks, words[2] = {3, 4}, got[2];
	size_t size;
	MUST(cudaMalloc(&p, 128));
	captured(p);
	constructed(p);
	turned(p);
	textured();
	levels();
	shapes();
	MUST(cudaMemcpyToSymbol(&total, words, 8, 0, TO_DEVICE));
	MUST(cudaMemcpyFromSymbol(got, &total, 4, 4, FROM_DEVICE));
	equal("variable", got[0], 4);
	MUST(cudaGetSymbolSize(&size, &total));
	equal("size of the variable", size, 8);
	MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add, 256, 0));
	equal("occupancy", blocks, 8);
	attributes();
	nowhere(p);
	wrong_way(p);
	equal("managed variable", counters[0], 5);
	equal("another managed variable", *limit, 9);
	counters[1] = 20;
	launch(NULL, counters, 3);
	MUST(cudaDeviceSynchronize());
	equal("managed variable, changed", counters[1], 23);
	equal("unknown kernel", cudaLaunchKernel(&words, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL), 98);
	equal("last error", cudaPeekAtLastError(), 98);
	equal("last error, taken", cudaGetLastError(), 98);
	equal("no error", cudaGetLastError(), 0);
	MUST(cudaFree(p));
	__cudaUnregisterFatBinary(module);
	return 0;
}
