// A program of CUDA's driver API that uses mipmapped arrays, and texture and surface references. What
// kernels read is compared with what this program computes. Each line that it prints says what is right.
#include "arrays.h"
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct mipmap *CUmipmappedArray;
typedef struct texref *CUtexref;
typedef struct surfref *CUsurfref;

enum { UINT8 = 1, INT16 = 9, UINT32 = 3, FLOAT = 32 };
enum { WRAP, CLAMP, MIRROR, BORDER };
enum { READ_AS_INTEGER = 1, NORMALIZED = 2 };
enum { INVALID_VALUE = 1, INVALID_HANDLE = 400, NOT_FOUND = 500 };

typedef struct {
	int kind;
	union {
		CUmipmappedArray mipmap;
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

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleUnload(void *);
int cuModuleGetFunction(void **, void *, const char *), cuCtxSynchronize(void), cuMemAlloc_v2(CUdeviceptr *, size_t), cuMemFree_v2(CUdeviceptr);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t), cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t), cuMemGetInfo_v2(size_t *, size_t *);
int cuArrayCreate_v2(CUarray *, const Array2D *), cuArrayDestroy(CUarray), cuArray3DGetDescriptor_v2(Array3D *, CUarray), cuMemcpyHtoA_v2(CUarray, size_t, const void *, size_t), cuMemcpyAtoH_v2(void *, CUarray, size_t, size_t);
int cuMipmappedArrayCreate(CUmipmappedArray *, const Array3D *, unsigned), cuMipmappedArrayGetLevel(CUarray *, CUmipmappedArray, unsigned), cuMipmappedArrayDestroy(CUmipmappedArray);
int cuTexObjectCreate(uint64_t *, const Resource *, const Texture *, const void *), cuTexObjectDestroy(uint64_t);
int cuModuleGetTexRef(CUtexref *, void *, const char *), cuModuleGetSurfRef(CUsurfref *, void *, const char *), cuSurfRefSetArray(CUsurfref, CUarray, unsigned), cuSurfRefGetArray(CUarray *, CUsurfref);
int cuTexRefSetArray(CUtexref, CUarray, unsigned), cuTexRefSetMipmappedArray(CUtexref, CUmipmappedArray, unsigned), cuTexRefSetAddress_v2(size_t *, CUtexref, CUdeviceptr, size_t), cuTexRefSetAddress2D_v3(CUtexref, const Array2D *, CUdeviceptr, size_t);
int cuTexRefSetFormat(CUtexref, int, int), cuTexRefSetAddressMode(CUtexref, int, int), cuTexRefSetFilterMode(CUtexref, int), cuTexRefSetFlags(CUtexref, unsigned), cuTexRefSetBorderColor(CUtexref, float *), cuTexRefSetMipmapLevelClamp(CUtexref, float, float);
int cuTexRefGetArray(CUarray *, CUtexref), cuTexRefGetFormat(int *, int *, CUtexref), cuTexRefGetFlags(unsigned *, CUtexref), cuTexRefGetAddress_v2(CUdeviceptr *, CUtexref);

static void *module, *second; // the same module, twice
static int wrong;

static void result(const char *what, int right) {
	printf("%s: %s\n", what, right ? "right" : "WRONG");
	wrong |= !right;
}

// run launches a kernel, and reads bytes that it has written.
static int run(void *of, const char *name, unsigned threads, uint64_t object, unsigned width, void *to, size_t bytes) {
	CUdeviceptr out;
	void *f, *params[] = {&object, &out, &width};
	MUST(cuMemAlloc_v2(&out, bytes));
	MUST(cuModuleGetFunction(&f, of, name));
	int error = cuLaunchKernel(f, 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL);
	if (error == 0)
		error = cuCtxSynchronize();
	MUST(cuMemcpyDtoH_v2(to, out, bytes));
	MUST(cuMemFree_v2(out));
	return error;
}

// Levels of 16 by 8, 8 by 4, 4 by 2 and 2 by 1 texels.
enum { W = 16, H = 8, LEVELS = 4 };

static float texel(int level, int x, int y) { return 1000 * level + 50 * y + x; }

static CUmipmappedArray pyramid(void) {
	CUmipmappedArray m;
	CUarray a;
	Array3D d = {W, H, 0, FLOAT, 1, 0}, of;
	MUST(cuMipmappedArrayCreate(&m, &d, LEVELS));
	for (int l = 0; l < LEVELS; l++) {
		float texels[W * H];
		int w = W >> l, h = H >> l;
		for (int i = 0; i < w * h; i++)
			texels[i] = texel(l, i % w, i / w);
		MUST(cuMipmappedArrayGetLevel(&a, m, l));
		MUST(cuArray3DGetDescriptor_v2(&of, a));
		if (of.width != (size_t)w || of.height != (size_t)h)
			result("size of a level", 0);
		MUST(cuMemcpyHtoA_v2(a, 0, texels, w * h * sizeof *texels));
	}
	result("beyond the levels", cuMipmappedArrayGetLevel(&a, m, LEVELS) == INVALID_VALUE);
	return m;
}

// at is the texel that kernels read of a level.
static double at(int level) { return texel(level, 0.4 * (W >> level), 0.7 * (H >> level)); }

// expected is what a level of detail reads as.
static double expected(const Texture *t, double lod) {
	lod = fmax(t->least, fmin(lod + t->bias, t->most));
	lod = fmax(0, fmin(lod, LEVELS - 1));
	if (!t->mip_filter)
		return at(ceil(lod - 0.5));
	int low = lod;
	return low == lod ? at(low) : at(low) * (1 - (lod - low)) + at(low + 1) * (lod - low);
}

static void mipmaps(void) {
	enum { THREADS = 20 };
	CUmipmappedArray m = pyramid();
	Resource r = {.kind = 1, .of.mipmap = m};
	static const struct {
		const char *name;
		Texture t;
	} cases[] = {
		{"nearest level", {.flags = NORMALIZED, .most = 3}},
		{"between levels", {.flags = NORMALIZED, .mip_filter = 1, .most = 3}},
		{"bias", {.flags = NORMALIZED, .mip_filter = 1, .bias = 0.75, .most = 3}},
		{"clamp", {.flags = NORMALIZED, .mip_filter = 1, .least = 0.5, .most = 2.25}},
		{"clamp to the first level", {.flags = NORMALIZED}},
	};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		uint64_t object;
		float out[THREADS];
		int right = 1;
		MUST(cuTexObjectCreate(&object, &r, &cases[k].t, NULL));
		MUST(run(module, "levels", THREADS, object, 0, out, sizeof out));
		for (int i = 0; i < THREADS; i++)
			right &= fabs(out[i] - expected(&cases[k].t, 0.25 * i - 0.5)) < 0.001;
		result(cases[k].name, right);
		MUST(run(module, "gradients", 6, object, 0, out, 6 * sizeof *out));
		right = 1;
		for (int i = 0; i < 6; i++) // a step of 2^i texels of the first level
			right &= fabs(out[i] - expected(&cases[k].t, i)) < 0.001;
		result("by gradients", right);
		MUST(cuTexObjectDestroy(object));
	}
	MUST(cuMipmappedArrayDestroy(m));
}

// A reference to an array, with what lies outside.
static void arrays(CUtexref t) {
	float in[3][4][2], out[4][6][2], border[4] = {-1, -2, -3, -4};
	for (int i = 0; i < 24; i++)
		in[0][0][i] = i;
	CUarray a, same;
	Array2D d = {4, 3, FLOAT, 2};
	MUST(cuArrayCreate_v2(&a, &d));
	MUST(cuMemcpyHtoA_v2(a, 0, in, sizeof in));
	MUST(cuTexRefSetArray(t, a, 1));
	MUST(cuTexRefGetArray(&same, t));
	for (int mode = CLAMP; mode <= BORDER; mode += BORDER - CLAMP) {
		MUST(cuTexRefSetAddressMode(t, 0, mode));
		MUST(cuTexRefSetAddressMode(t, 1, mode));
		MUST(cuTexRefSetBorderColor(t, border));
		MUST(run(module, "plane", 24, 0, 6, out, sizeof out));
		int right = same == a;
		for (int y = 0; y < 4; y++)
			for (int x = 0; x < 6; x++)
				for (int c = 0; c < 2; c++) {
					float want = in[y < 3 ? y : 2][x < 4 ? x : 3][c];
					if (mode == BORDER && (x > 3 || y > 2))
						want = border[c];
					right &= out[y][x][c] == want;
				}
		result(mode == CLAMP ? "reference to an array" : "border", right);
	}
	MUST(cuArrayDestroy(a));
	MUST(cuTexRefSetAddressMode(t, 0, CLAMP));
	MUST(cuTexRefSetAddressMode(t, 1, CLAMP));
}

// References to linear memory: rows of fractions, filtered, and signed integers.
static void memory(CUtexref t) {
	enum { PITCH = 32 };
	unsigned char in[3][PITCH];
	float out[3][4][2];
	short numbers[8][2];
	int words[9][2], right = 1, format, channels;
	unsigned flags;
	CUdeviceptr p, where;
	for (int i = 0; i < 3 * PITCH; i++)
		in[0][i] = 5 * i;
	MUST(cuMemAlloc_v2(&p, sizeof in));
	MUST(cuMemcpyHtoD_v2(p, in, sizeof in));
	Array2D d = {4, 3, UINT8, 2};
	MUST(cuTexRefSetAddress2D_v3(t, &d, p, PITCH));
	MUST(cuTexRefSetFlags(t, 0));
	MUST(run(module, "plane", 12, 0, 4, out, sizeof out));
	for (int i = 0; i < 24; i++)
		right &= out[0][0][i] == (float)(in[i / 8][i % 8] / 255.0);
	result("reference to rows of fractions", right);
	for (int i = 0; i < 16; i++)
		numbers[0][i] = 100 * i - 700;
	MUST(cuMemcpyHtoD_v2(p, numbers, sizeof numbers));
	MUST(cuTexRefSetFlags(t, READ_AS_INTEGER));
	MUST(cuTexRefSetAddress_v2(NULL, t, p, sizeof numbers));
	MUST(cuTexRefSetFormat(t, INT16, 2)); // after the address
	MUST(run(module, "row", 9, 0, 0, words, sizeof words));
	right = words[8][0] == 0; // outside
	for (int i = 0; i < 16; i++)
		right &= words[0][i] == 100 * i - 700;
	MUST(cuTexRefGetFormat(&format, &channels, t));
	MUST(cuTexRefGetFlags(&flags, t));
	MUST(cuTexRefGetAddress_v2(&where, t));
	result("reference to linear memory", right && format == INT16 && channels == 2 && flags == READ_AS_INTEGER && where == p);
	MUST(cuMemFree_v2(p));
	result("unknown format", cuTexRefSetFormat(t, 7, 1) == INVALID_VALUE);
}

// The references of two modules of one text are two.
static void two(CUtexref t) {
	CUtexref other;
	CUdeviceptr p;
	unsigned in[4] = {1, 2, 3, 4};
	int out[4][2], more[2][2];
	MUST(cuMemAlloc_v2(&p, sizeof in));
	MUST(cuMemcpyHtoD_v2(p, in, sizeof in));
	MUST(cuModuleGetTexRef(&other, second, "image"));
	CUtexref both[] = {t, other};
	for (int i = 0; i < 2; i++) {
		MUST(cuTexRefSetFormat(both[i], UINT32, 1));
		MUST(cuTexRefSetFlags(both[i], READ_AS_INTEGER));
		MUST(cuTexRefSetAddress_v2(NULL, both[i], p + 8 * i, 8));
	}
	MUST(run(module, "row", 2, 0, 0, out, 16));
	MUST(run(second, "row", 2, 0, 0, more, 16));
	result("two modules", out[0][0] == 1 && out[1][0] == 2 && more[0][0] == 3 && more[1][0] == 4);
	MUST(cuMemFree_v2(p));
	MUST(cuModuleUnload(second));
	result("reference of a module that is gone", cuTexRefSetFlags(other, 0) == INVALID_HANDLE);
}

static void surfaces(void) {
	CUsurfref s;
	CUarray a, same;
	unsigned out[2][4], unused[1];
	Array2D d = {4, 2, UINT32, 1};
	MUST(cuArrayCreate_v2(&a, &d));
	MUST(cuModuleGetSurfRef(&s, module, "canvas"));
	MUST(cuSurfRefSetArray(s, a, 0));
	MUST(cuSurfRefGetArray(&same, s));
	MUST(run(module, "paint", 8, 0, 4, unused, sizeof unused));
	MUST(cuMemcpyAtoH_v2(out, a, 0, sizeof out));
	int right = same == a;
	for (unsigned i = 0; i < 8; i++)
		right &= out[0][i] == 3 * i + 1;
	result("surface reference", right);
	MUST(cuArrayDestroy(a));
}

int main(int argc, char **argv) {
	static char ptx[8192];
	void *context;
	CUtexref t;
	CUsurfref s;
	size_t before, after, total;
	FILE *f = fopen(argv[argc - 1], "r");
	ptx[fread(ptx, 1, sizeof ptx - 1, f)] = 0;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleLoadData(&second, ptx));
	MUST(cuMemGetInfo_v2(&before, &total));
	mipmaps();
	MUST(cuModuleGetTexRef(&t, module, "image"));
	result("unknown references", cuModuleGetTexRef(&t, module, "canvas") == NOT_FOUND && cuModuleGetSurfRef(&s, module, "image") == NOT_FOUND && cuModuleGetTexRef(&t, module, "none") == NOT_FOUND);
	MUST(cuModuleGetTexRef(&t, module, "image"));
	arrays(t);
	memory(t);
	two(t);
	surfaces();
	MUST(cuMemGetInfo_v2(&after, &total));
	result("memory", before == after);
	return wrong;
}
