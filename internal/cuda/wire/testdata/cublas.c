// A program of the driver API that uses cuBLAS:
//
//     cublas driver.ptx             a line for each case
//     cublas driver.ptx racy|right  a kernel writes in one stream what cublasSgemm reads in another
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuModuleLoadData(void **, const void *), cuModuleGetFunction(void **, void *, const char *);
int cuMemAlloc_v2(void **, size_t), cuStreamCreate(void **, unsigned), cuEventCreate(void **, unsigned), cuEventRecord(void *, void *), cuStreamWaitEvent(void *, void *, unsigned);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
int cuStreamBeginCapture_v2(void *, int), cuStreamEndCapture(void *, void **), cuGraphDestroy(void *);
int cuGraphInstantiateWithFlags(void **, void *, unsigned long long), cuGraphLaunch(void *, void *), cuGraphExecDestroy(void *);
int cublasSetVector(int, int, const void *, int, void *, int), cublasGetVector(int, int, const void *, int, void *, int);
int cublasCreate_v2(void **), cublasDestroy_v2(void *), cublasSetStream_v2(void *, void *), cublasSetPointerMode_v2(void *, int), cublasGetVersion_v2(void *, int *);
int cublasSetMatrix(int, int, int, const void *, int, void *, int), cublasGetMatrix(int, int, int, const void *, int, void *, int);
int cublasSetVectorAsync(int, int, const void *, int, void *, int, void *), cublasGetVector_64(int64_t, int64_t, const void *, int64_t, void *, int64_t);
int cublasSgemm_v2(void *, int, int, int, int, int, const float *, const float *, int, const float *, int, const float *, float *, int);
int cublasGemmEx(void *, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int, const void *, void *, int, int, int, int);
int cublasDdot_v2_64(void *, int64_t, const double *, int64_t, const double *, int64_t, double *), cublasIsamax_v2(void *, int, const float *, int, int *);
int cublasCgbmv_v2(void *, int, int, int, int, int, const void *, const void *, int, const void *, int, const void *, void *, int);
const char *cublasGetStatusName(int);

enum { N = 32, BYTES = 4 * N, DOUBLE = 1, COMPUTE_64F = 70 };
static void *handle, *add, *streams[2], *event;

static void *alloc(size_t size) {
	void *p;
	MUST(cuMemAlloc_v2(&p, size));
	return p;
}

static void *load(const char *path) {
	static char text[1 << 16];
	void *context, *module;
	FILE *f = fopen(path, "r");
	text[fread(text, 1, sizeof text - 1, f)] = 0;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	MUST(cuModuleLoadData(&module, text));
	MUST(cuModuleGetFunction(&add, module, "add"));
	return module;
}

static void orders(int racy) {
	float *a = alloc(BYTES), *b = alloc(BYTES), *c = alloc(BYTES), one = 1, zero = 0, host[N] = {0};
	unsigned n = 1;
	void *params[] = {&a, &n};
	MUST(cublasSetMatrix(4, 8, 4, host, 4, a, 4));
	MUST(cublasSetMatrix(4, 8, 4, host, 4, b, 4));
	MUST(cuLaunchKernel(add, 1, 1, 1, N, 1, 1, 0, streams[0], params, NULL));
	MUST(cuEventRecord(event, streams[0]));
	if (!racy)
		MUST(cuStreamWaitEvent(streams[1], event, 0));
	MUST(cublasSetStream_v2(handle, streams[1]));
	MUST(cublasSgemm_v2(handle, 0, 1, 4, 4, 8, &one, a, 4, b, 4, &zero, c, 4));
	puts("done");
}

static void products(void) {
	float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 1, 1}, c[4] = {0}, one = 1, zero = 0;
	float *da = alloc(sizeof a), *db = alloc(sizeof b), *dc = alloc(4 * sizeof *dc);
	MUST(cublasSetMatrix(2, 3, 4, a, 2, da, 2));
	MUST(cublasSetVectorAsync(6, 4, b, 1, db, 1, streams[0]));
	MUST(cublasSetStream_v2(handle, streams[0]));
	MUST(cublasSgemm_v2(handle, 0, 0, 2, 2, 3, &one, da, 2, db, 3, &zero, dc, 2));
	MUST(cublasGetMatrix(2, 2, 4, dc, 2, c, 2));
	equal("gemm", c[0] * 1000000 + c[1] * 10000 + c[2] * 100 + c[3], 11140912);
	int at = 0;
	MUST(cublasIsamax_v2(handle, 6, da, 1, &at));
	equal("amax", at, 6);
	equal("refused", cublasSgemm_v2(handle, 0, 0, 2, 2, 3, &one, da, 1, db, 3, &zero, dc, 2), 7);
	equal("unsupported", cublasCgbmv_v2(handle, 0, 1, 1, 0, 0, &one, da, 1, db, 1, &zero, dc, 1), 15);
	equal("name", strcmp(cublasGetStatusName(15), "CUBLAS_STATUS_NOT_SUPPORTED"), 0);
	equal("no handle", cublasIsamax_v2(NULL, 6, da, 1, &at), 1);
}

static void captured(void *stream) {
	float factor = 2, value = 3, *a = alloc(4);
	void *graph, *exec;
	int at;
	MUST(cublasSetVector(1, 4, &value, 1, a, 1));
	MUST(cuStreamBeginCapture_v2(stream, 0));
	MUST(cublasSetStream_v2(handle, stream));
	MUST(cublasSgemm_v2(handle, 0, 0, 1, 1, 1, &factor, a, 1, a, 1, &factor, a, 1)); // a = 2aa + 2a
	equal("captured result", cublasIsamax_v2(handle, 1, a, 1, &at), 15);
	MUST(cuStreamEndCapture(stream, &graph));
	factor = 0;
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphDestroy(graph));
	MUST(cublasGetVector(1, 4, a, 1, &value, 1));
	equal("captured", value, 3);
	MUST(cuGraphLaunch(exec, stream));
	MUST(cuGraphLaunch(exec, stream));
	MUST(cublasGetVector(1, 4, a, 1, &value, 1));
	equal("launched", value, 1200);
	MUST(cuGraphExecDestroy(exec));
	MUST(cublasSetStream_v2(handle, streams[0]));
}

static void doubles(void) {
	double x[4] = {1, 2, 3, 4}, factors[] = {2, 0}, dot = 0, *dx = alloc(sizeof x), *dc = alloc(sizeof x), *scalars = alloc(sizeof factors);
	MUST(cublasSetVectorAsync(4, 8, x, 1, dx, 1, streams[0]));
	MUST(cublasSetVectorAsync(2, 8, factors, 1, scalars, 1, streams[0]));
	MUST(cublasDdot_v2_64(handle, 4, dx, 1, dx, 1, &dot));
	equal("dot", dot, 30);
	MUST(cublasSetPointerMode_v2(handle, 1));
	MUST(cublasDdot_v2_64(handle, 4, dx, 1, dx, -1, dc));
	MUST(cublasGetVector_64(1, 8, dc, 1, &dot, 1));
	equal("dot on the device", dot, 20);
	MUST(cublasGemmEx(handle, 0, 1, 2, 2, 2, scalars, dx, DOUBLE, 2, dx, DOUBLE, 2, scalars + 1, dc, DOUBLE, 2, COMPUTE_64F, -1));
	MUST(cublasGetVector_64(4, 8, dc, 1, x, 1));
	equal("gemmEx", x[0] * 1000000 + x[1] * 10000 + x[2] * 100 + x[3], 20282840);
}

int main(int argc, char **argv) {
	int version = 0;
	load(argv[1]);
	for (int i = 0; i < 2; i++)
		MUST(cuStreamCreate(&streams[i], 0));
	MUST(cuEventCreate(&event, 0));
	MUST(cublasCreate_v2(&handle));
	if (argc > 2) {
		orders(strcmp(argv[2], "racy") == 0);
	} else {
		MUST(cublasGetVersion_v2(handle, &version));
		equal("version", version >= 110000, 1);
		products();
		captured(streams[1]), captured((void *)2); // the default stream of the thread
		doubles();
	}
	MUST(cublasDestroy_v2(handle));
	return 0;
}
