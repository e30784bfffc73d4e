// A program of CUDA's driver API that uses arrays, textures and surfaces. Each line that it prints
// says what is right.
#include "arrays.h"
#include "check.h"

#include <stdint.h>
#include <string.h>

enum { UINT8 = 1, UINT32 = 3, FLOAT = 32 };
enum { HOST = 1, DEVICE = 2, ARRAY = 3 };
enum { INVALID_VALUE = 1, INVALID_HANDLE = 400 };

typedef struct {
	size_t from_x, from_y;
	int from_type;
	const void *from_host;
	CUdeviceptr from_device;
	CUarray from_array;
	size_t from_pitch, to_x, to_y;
	int to_type;
	void *to_host;
	CUdeviceptr to_device;
	CUarray to_array;
	size_t to_pitch, width, height;
} Copy2D;
typedef struct {
	size_t from_x, from_y, from_z, from_level;
	int from_type;
	const void *from_host;
	CUdeviceptr from_device;
	CUarray from_array;
	void *reserved;
	size_t from_pitch, from_height, to_x, to_y, to_z, to_level;
	int to_type;
	void *to_host;
	CUdeviceptr to_device;
	CUarray to_array;
	void *reserved2;
	size_t to_pitch, to_height, width, height, depth;
} Copy3D;
typedef struct {
	int kind;
	union {
		CUarray array;
		struct {
			CUdeviceptr address;
			int format;
			unsigned channels;
			size_t size;
		} linear;
		struct {
			CUdeviceptr address;
			int format;
			unsigned channels;
			size_t width, height, pitch;
		} pitched;
		int reserved[32];
	} of;
	unsigned flags;
} Resource;
typedef struct {
	int address[3], filter;
	unsigned flags, anisotropy;
	int mip_filter;
	float bias, least, most, border[4];
	int reserved[12];
} Texture;

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *);
int cuModuleGetFunction(void **, void *, const char *), cuCtxSynchronize(void), cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t), cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t), cuMemGetInfo_v2(size_t *, size_t *);
int cuArrayCreate_v2(CUarray *, const Array2D *), cuArray3DCreate_v2(CUarray *, const Array3D *), cuArrayDestroy(CUarray);
int cuArrayGetDescriptor_v2(Array2D *, CUarray), cuArray3DGetDescriptor_v2(Array3D *, CUarray);
int cuMemcpy2D_v2(const Copy2D *), cuMemcpy2DUnaligned_v2(const Copy2D *), cuMemcpy3D_v2(const Copy3D *), cuMemcpy3DAsync_v2(const Copy3D *, void *);
int cuMemcpyHtoA_v2(CUarray, size_t, const void *, size_t), cuMemcpyAtoH_v2(void *, CUarray, size_t, size_t), cuMemcpyDtoA_v2(CUarray, size_t, CUdeviceptr, size_t);
int cuMemcpyAtoD_v2(CUdeviceptr, CUarray, size_t, size_t), cuMemcpyAtoA_v2(CUarray, size_t, CUarray, size_t, size_t);
int cuTexObjectCreate(uint64_t *, const Resource *, const Texture *, const void *), cuTexObjectDestroy(uint64_t);
int cuSurfObjectCreate(uint64_t *, const Resource *), cuSurfObjectDestroy(uint64_t);
int cuStreamCreate(void **, unsigned), cuStreamSynchronize(void *), cuStreamDestroy_v2(void *), cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuModuleUnload(void *);
int cuCtxCreate_v2(void **, unsigned, int), cuCtxDestroy_v2(void *), cuDevicePrimaryCtxReset(int), cuDevicePrimaryCtxGetState(int, unsigned *, int *);

static void *module;
static int wrong;
static char ptx[8192];

static void result(const char *what, int right) {
	printf("%s: %s\n", what, right ? "right" : "WRONG");
	wrong |= !right;
}

static void launch(const char *name, unsigned threads, uint64_t object, CUdeviceptr out, unsigned width) {
	void *f, *params[] = {&object, &out, &width};
	MUST(cuModuleGetFunction(&f, module, name));
	MUST(cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
	MUST(cuCtxSynchronize());
}

// A texture of a resource, read by one thread for each element.
static void read(const char *kernel, const Resource *r, const Texture *t, void *to, unsigned n, unsigned width) {
	CUdeviceptr out;
	uint64_t object;
	MUST(cuMemAlloc_v2(&out, n * 4));
	MUST(cuTexObjectCreate(&object, r, t, NULL));
	launch(kernel, n, object, out, width);
	MUST(cuMemcpyDtoH_v2(to, out, n * 4));
	MUST(cuTexObjectDestroy(object));
	MUST(cuMemFree_v2(out));
}

static void planes(void) {
	enum { W = 5, H = 3, PITCH = 7 };
	float in[H][PITCH], out[H][W], part[2][2];
	for (int y = 0; y < H; y++)
		for (int x = 0; x < PITCH; x++)
			in[y][x] = 10 * y + x;
	CUarray a;
	Array2D d, want = {W, H, FLOAT, 1};
	MUST(cuArrayCreate_v2(&a, &want));
	MUST(cuArrayGetDescriptor_v2(&d, a));
	result("descriptor", d.width == W && d.height == H && d.format == FLOAT && d.channels == 1);
	Copy2D c = {.from_type = HOST, .from_host = in, .from_pitch = sizeof in[0], .from_x = 4, .to_type = ARRAY, .to_array = a, .width = W * 4, .height = H};
	MUST(cuMemcpy2D_v2(&c));
	Resource r = {.kind = 0, .of.array = a};
	Texture t = {.address = {1, 1, 1}};
	read("sample", &r, &t, out, W * H, W);
	int right = 1;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			right &= out[y][x] == 10 * y + x + 1;
	result("texture of an array", right);
	Copy2D back = {.from_type = ARRAY, .from_array = a, .from_x = 8, .from_y = 1, .to_type = HOST, .to_host = part, .to_pitch = sizeof part[0], .width = 8, .height = 2};
	MUST(cuMemcpy2DUnaligned_v2(&back));
	result("part of an array", part[0][0] == 13 && part[0][1] == 14 && part[1][0] == 23 && part[1][1] == 24);
	back.from_y = 2;
	result("beyond an array", cuMemcpy2D_v2(&back) == INVALID_VALUE);
	MUST(cuArrayDestroy(a));
}

static void boxes(void) {
	enum { W = 4, H = 3, D = 2 };
	unsigned zeros[D][H][W] = {0}, in[1][2][2] = {{{1, 2}, {3, 4}}}, out[D][H][W];
	CUarray a;
	Array3D d, want = {W, H, D, UINT32, 1, 0};
	MUST(cuArray3DCreate_v2(&a, &want));
	MUST(cuArray3DGetDescriptor_v2(&d, a));
	Copy3D all = {.from_type = HOST, .from_host = zeros, .from_pitch = W * 4, .from_height = H, .to_type = ARRAY, .to_array = a, .width = W * 4, .height = H, .depth = D};
	MUST(cuMemcpy3D_v2(&all));
	Copy3D box = {.from_type = HOST, .from_host = in, .from_pitch = 8, .from_height = 2, .to_type = ARRAY, .to_array = a, .to_x = 8, .to_y = 1, .to_z = 1, .width = 8, .height = 2, .depth = 1};
	MUST(cuMemcpy3DAsync_v2(&box, NULL));
	Copy3D back = {.from_type = ARRAY, .from_array = a, .to_type = HOST, .to_host = out, .to_pitch = W * 4, .to_height = H, .width = W * 4, .height = H, .depth = D};
	MUST(cuMemcpy3D_v2(&back));
	unsigned sum = 0;
	for (unsigned *p = out[0][0]; p < out[0][0] + W * H * D; p++)
		sum += *p;
	result("box in an array", d.depth == D && sum == 10 && out[1][1][2] == 1 && out[1][1][3] == 2 && out[1][2][2] == 3 && out[1][2][3] == 4);
	box.to_z = 2;
	result("box beyond an array", cuMemcpy3D_v2(&box) == INVALID_VALUE);
	MUST(cuArrayDestroy(a));
}

static void rows(void) {
	unsigned in[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8] = {0};
	CUarray a, b;
	CUdeviceptr memory;
	Array2D d = {8, 0, UINT32, 1};
	MUST(cuArrayCreate_v2(&a, &d));
	MUST(cuArrayCreate_v2(&b, &d));
	MUST(cuMemAlloc_v2(&memory, sizeof in));
	MUST(cuMemcpyHtoA_v2(a, 0, in, sizeof in));
	MUST(cuMemcpyAtoA_v2(b, 0, a, 16, 16));    // 5 6 7 8
	MUST(cuMemcpyAtoD_v2(memory, b, 4, 8));    // 6 7
	MUST(cuMemcpyDtoA_v2(b, 16, memory, 8));   // 5 6 7 8 6 7
	MUST(cuMemcpyAtoH_v2(out, b, 0, 24));
	result("rows", out[0] == 5 && out[3] == 8 && out[4] == 6 && out[5] == 7);
	result("rows beyond an array", cuMemcpyAtoH_v2(out, b, 28, 8) == INVALID_VALUE && cuMemcpyHtoA_v2(b, 40, in, 0) == INVALID_VALUE);
	MUST(cuMemcpyHtoD_v2(memory, in, sizeof in));
	Resource r = {.kind = 2, .of.linear = {memory, UINT32, 1, sizeof in}};
	Texture t = {.flags = 1};
	read("fetch", &r, &t, out, 8, 8);
	result("texture of linear memory", memcmp(in, out, sizeof in) == 0);
	Resource pitched = {.kind = 3, .of.pitched = {memory, UINT8, 4, 2, 2, 16}}; // bytes 1 0 0 0 2 0 0 0, and of row 1 5 0 0 0 6 0 0 0
	float fractions[4];
	t.flags = 0;
	read("sample", &pitched, &t, fractions, 4, 2);
	result("texture of fractions", fractions[0] == 1 / 255.f && fractions[1] == 2 / 255.f && fractions[2] == 5 / 255.f && fractions[3] == 6 / 255.f);
	MUST(cuArrayDestroy(a));
	MUST(cuArrayDestroy(b));
	MUST(cuMemFree_v2(memory));
}

static void surfaces(void) {
	unsigned in[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, out[2][4];
	CUarray a;
	uint64_t object;
	Array3D d = {4, 2, 0, UINT32, 1, 2};
	MUST(cuArray3DCreate_v2(&a, &d));
	MUST(cuMemcpyHtoA_v2(a, 0, in, sizeof in));
	Resource r = {.kind = 0, .of.array = a};
	MUST(cuSurfObjectCreate(&object, &r));
	launch("increment", 8, object, 0, 4);
	MUST(cuSurfObjectDestroy(object));
	MUST(cuMemcpyAtoH_v2(out, a, 0, sizeof out));
	result("surface", out[0][0] == 2 && out[0][3] == 5 && out[1][0] == 6 && out[1][3] == 9);
	MUST(cuArrayDestroy(a));
	r.kind = 2;
	result("surface of linear memory", cuSurfObjectCreate(&object, &r) == INVALID_VALUE);
	d.channels = 3;
	result("three channels", cuArray3DCreate_v2(&a, &d) == INVALID_VALUE);
	d.channels = 1, d.format = 7;
	result("an unknown format", cuArray3DCreate_v2(&a, &d) == INVALID_VALUE);
}

// What was made before a reset of the primary context is not there after it, unless another context
// holds it.
static void reset(void) {
	CUdeviceptr memory;
	void *f, *stream, *event, *other;
	unsigned flags;
	int active;
	MUST(cuMemAlloc_v2(&memory, 64));
	MUST(cuStreamCreate(&stream, 0));
	MUST(cuEventCreate(&event, 0));
	MUST(cuModuleGetFunction(&f, module, "increment"));
	MUST(cuCtxCreate_v2(&other, 0, 0));
	MUST(cuDevicePrimaryCtxReset(0));
	MUST(cuStreamSynchronize(stream));
	MUST(cuCtxDestroy_v2(other));
	MUST(cuDevicePrimaryCtxReset(0));
	result("memory of before", cuMemFree_v2(memory) == INVALID_VALUE);
	result("stream of before", cuStreamDestroy_v2(stream) == INVALID_HANDLE);
	result("event of before", cuEventRecord(event, NULL) == INVALID_HANDLE);
	result("kernel of before", cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == INVALID_HANDLE);
	result("module of before", cuModuleUnload(module) == INVALID_HANDLE);
	MUST(cuDevicePrimaryCtxGetState(0, &flags, &active));
	result("no context", !active);
	MUST(cuDevicePrimaryCtxRetain(&other, 0));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&f, module, "increment"));
}

int main(int argc, char **argv) {
	void *context;
	size_t before, after, total;
	FILE *f = fopen(argv[argc - 1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuMemGetInfo_v2(&before, &total));
	planes();
	boxes();
	rows();
	surfaces();
	MUST(cuMemGetInfo_v2(&after, &total));
	result("memory", before == after);
	reset();
	return wrong;
}
