// A program that makes tensor maps by the driver API, whose functions it asks the runtime for, and copies a box
// of one tensor to another. Every line says that it is right.
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(uint64_t *, size_t), cuMemcpyHtoD_v2(uint64_t, const void *, size_t), cuMemcpyDtoH_v2(void *, uint64_t, size_t), cuMemsetD8_v2(uint64_t, unsigned char, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **), cuCtxSynchronize(void);
int cudaGetDriverEntryPoint(const char *, void **, unsigned long long), cudaGetLastError(void);

typedef struct {
	_Alignas(64) unsigned char bytes[128];
} map;
typedef int tiled(map *, int, unsigned, void *, const uint64_t *, const uint64_t *, const unsigned *, const unsigned *, int, int, int, int);
typedef int columns(map *, int, unsigned, void *, const uint64_t *, const uint64_t *, const int *, const int *, unsigned, unsigned, const unsigned *, int, int, int, int);
typedef int wide(map *, int, unsigned, void *, const uint64_t *, const uint64_t *, int, int, unsigned, unsigned, const unsigned *, int, int, int, int, int);
typedef int moved(map *, void *);

enum { SIDE = 20, BOX = 16, FLOAT32 = 7, SWIZZLE_64 = 2, INTERLEAVE_16 = 1, INVALID = 1, NO_SYMBOL = 500 };
static float numbers[SIDE][SIDE], out[BOX][BOX];

static void *entry(const char *name) {
	void *function;
	MUST(cudaGetDriverEntryPoint(name, &function, 0));
	return function;
}

static void launch(void *kernel, map from, map to, unsigned x, unsigned y) {
	void *params[] = {&from, &to, &x, &y};
	MUST(cuLaunchKernel(kernel, 1, 1, 1, BOX * BOX, 1, 1, 0, NULL, params, NULL));
	MUST(cuCtxSynchronize());
}

// wrong counts the numbers of the box at (x, y) that are not doubled; what is outside is 0.
static int wrong(int x, int y) {
	int n = 0;
	for (int i = 0; i < BOX; i++)
		for (int k = 0; k < BOX; k++) {
			int inside = x + k < SIDE && y + i < SIDE;
			n += out[i][k] != (inside ? 2 * numbers[y + i][x + k] : 0);
		}
	return n;
}

static void boxes(void *kernel) {
	tiled *encode = (tiled *)entry("cuTensorMapEncodeTiled");
	moved *move = (moved *)entry("cuTensorMapReplaceAddress");
	uint64_t from, to, second, dims[] = {SIDE, SIDE}, strides[] = {SIDE * sizeof(float)}, to_dims[] = {BOX, BOX}, to_strides[] = {BOX * sizeof(float)};
	unsigned box[] = {BOX, BOX}, steps[] = {1, 1};
	map source, target;
	for (int i = 0; i < SIDE * SIDE; i++)
		numbers[i / SIDE][i % SIDE] = i + 1;
	MUST(cuMemAlloc_v2(&from, sizeof numbers));
	MUST(cuMemAlloc_v2(&to, sizeof out));
	MUST(cuMemAlloc_v2(&second, sizeof numbers));
	MUST(cuMemcpyHtoD_v2(from, numbers, sizeof numbers));
	MUST(cuMemsetD8_v2(second, 0, sizeof numbers));
	MUST(encode(&source, FLOAT32, 2, (void *)from, dims, strides, box, steps, 0, 0, 0, 0));
	MUST(encode(&target, FLOAT32, 2, (void *)to, to_dims, to_strides, box, steps, 0, 0, 3, 0));
	launch(kernel, source, target, 3, 8);
	MUST(cuMemcpyDtoH_v2(out, to, sizeof out));
	equal("a box", wrong(3, 8), 0);
	MUST(move(&source, (void *)second));
	launch(kernel, source, target, 0, 0);
	MUST(cuMemcpyDtoH_v2(out, to, sizeof out));
	equal("of another address", out[3][3], 0);
	equal("an address that is not aligned", encode(&source, FLOAT32, 2, (void *)(from + 4), dims, strides, box, steps, 0, 0, 0, 0), INVALID);
	equal("an interleave layout", encode(&source, FLOAT32, 2, (void *)from, dims, strides, box, steps, INTERLEAVE_16, 0, 0, 0), INVALID);
	equal("six dimensions", encode(&source, FLOAT32, 6, (void *)from, dims, strides, box, steps, 0, 0, 0, 0), INVALID);
}

static void images(void) {
	columns *encode = (columns *)entry("cuTensorMapEncodeIm2col");
	wide *encode_wide = (wide *)entry("cuTensorMapEncodeIm2colWide");
	uint64_t address, dims[] = {16, 8, 8, 2}, strides[] = {64, 512, 4096};
	unsigned steps[] = {1, 1, 1, 1};
	int lower[] = {-1, -1}, upper[] = {-1, -1};
	map m;
	MUST(cuMemAlloc_v2(&address, 8192));
	equal("columns", encode(&m, FLOAT32, 4, (void *)address, dims, strides, lower, upper, 16, 32, steps, 0, 0, 0, 0), 0);
	equal("columns of two dimensions", encode(&m, FLOAT32, 2, (void *)address, dims, strides, lower, upper, 16, 32, steps, 0, 0, 0, 0), INVALID);
	equal("wide columns", encode_wide(&m, FLOAT32, 4, (void *)address, dims, strides, -1, -1, 16, 32, steps, 0, 0, SWIZZLE_64, 0, 0), 0);
}

int main(int argc, char **argv) {
	void *context, *module, *kernel, *none;
	static char ptx[8192];
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	if (f == NULL || fread(ptx, 1, sizeof ptx - 1, f) == 0)
		return 9;
	fclose(f);
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleGetFunction(&kernel, module, "twice"));
	boxes(kernel);
	images();
	equal("a name that does not exist", cudaGetDriverEntryPoint("cuNothing", &none, 0), NO_SYMBOL);
	equal("the last error", cudaGetLastError(), NO_SYMBOL);
	return 0;
}
