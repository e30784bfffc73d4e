// A program of the driver API that uses cuBLASLt.
#include "check.h"

#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *), cuMemAlloc_v2(void **, size_t), cuMemcpyHtoD_v2(void *, const void *, size_t), cuMemcpyDtoH_v2(void *, const void *, size_t);
int cublasLtCreate(void **), cublasLtDestroy(void *), cublasLtMatmulDescCreate(void **, int, int), cublasLtMatmulDescDestroy(void *), cublasLtMatmulDescSetAttribute(void *, int, const void *, size_t);
int cublasLtMatrixLayoutCreate(void **, int, uint64_t, uint64_t, int64_t), cublasLtMatrixLayoutDestroy(void *), cublasLtMatrixLayoutSetAttribute(void *, int, const void *, size_t);
int cublasLtMatrixLayoutGetAttribute(void *, int, void *, size_t, size_t *), cublasLtMatmulPreferenceCreate(void **), cublasLtMatmulPreferenceSetAttribute(void *, int, const void *, size_t);
int cublasLtMatmulAlgoGetHeuristic(void *, void *, void *, void *, void *, void *, void *, int, void *, int *);
int cublasLtMatmul(void *, void *, const void *, const void *, void *, const void *, void *, const void *, const void *, void *, void *, void *, const void *, void *, size_t, void *);

enum { FLOAT = 0, COMPUTE_32F = 68, TRANSPOSED_B = 4, EPILOGUE = 7, BATCH = 5, INTERVAL = 6, WORKSPACE = 1, RELU = 2, REFUSED = 15, INVALID = 7 };

static void *copied(const void *from, size_t size) {
	void *p;
	MUST(cuMemAlloc_v2(&p, size));
	MUST(cuMemcpyHtoD_v2(p, from, size));
	return p;
}

static void *layout(uint64_t rows, uint64_t columns, int batch, int64_t interval) {
	void *l;
	MUST(cublasLtMatrixLayoutCreate(&l, FLOAT, rows, columns, rows));
	MUST(cublasLtMatrixLayoutSetAttribute(l, BATCH, &batch, sizeof batch));
	MUST(cublasLtMatrixLayoutSetAttribute(l, INTERVAL, &interval, sizeof interval));
	return l;
}

int main(void) {
	void *context, *handle, *product, *preference;
	float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 1, 1}, c[] = {1, 2, 3, 4, 5, 6, 7, 8}, d[8] = {0}, alpha = 1, beta = 10;
	struct {
		uint64_t words[12];
	} heuristic;
	int found = 0, transposed = 1, epilogue = RELU;
	size_t workspace = 0, size = 0;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	void *da = copied(a, sizeof a), *db = copied(b, sizeof b), *dc = copied(c, sizeof c), *dd = copied(d, sizeof d);
	MUST(cublasLtCreate(&handle));
	MUST(cublasLtMatmulDescCreate(&product, COMPUTE_32F, FLOAT));
	void *la = layout(2, 3, 2, 0), *lb = layout(3, 2, 2, 0), *lc = layout(2, 2, 2, 4);
	equal("size of an attribute", cublasLtMatrixLayoutGetAttribute(la, BATCH, NULL, 0, &size) + size, 4);
	MUST(cublasLtMatmulPreferenceCreate(&preference));
	MUST(cublasLtMatmulPreferenceSetAttribute(preference, WORKSPACE, &workspace, sizeof workspace));
	MUST(cublasLtMatmulAlgoGetHeuristic(handle, product, la, lb, lc, lc, preference, 1, &heuristic, &found));
	equal("algorithms", found, 1);
	MUST(cublasLtMatmul(handle, product, &alpha, da, la, db, lb, &beta, dc, lc, dd, lc, &heuristic, NULL, 0, NULL));
	MUST(cuMemcpyDtoH_v2(d, dd, sizeof d)); // AB is 11 14 9 12
	equal("first", d[0] * 1000000 + d[1] * 10000 + d[2] * 100 + d[3], 21343952);
	equal("second", d[4] * 1000000 + d[5] * 10000 + d[6] * 100 + d[7], 61747992);
	MUST(cuMemcpyDtoH_v2(d, dc, sizeof d));
	equal("what is added", memcmp(c, d, sizeof d), 0);
	equal("other sizes", cublasLtMatmul(handle, product, &alpha, da, la, db, la, &beta, dc, lc, dd, lc, NULL, NULL, 0, NULL), INVALID);
	MUST(cublasLtMatmulDescSetAttribute(product, TRANSPOSED_B, &transposed, sizeof transposed));
	beta = 0;
	MUST(cublasLtMatmul(handle, product, &alpha, da, la, db, la, &beta, NULL, lc, dd, lc, NULL, NULL, 0, NULL));
	MUST(cuMemcpyDtoH_v2(d, dd, 4 * sizeof *d)); // B, of 2 rows, is 1 2 1, 0 1 1
	equal("transposed", d[0] * 1000000 + d[1] * 10000 + d[2] * 100 + d[3], 12160810);
	MUST(cublasLtMatmulDescSetAttribute(product, EPILOGUE, &epilogue, sizeof epilogue));
	equal("epilogue", cublasLtMatmul(handle, product, &alpha, da, la, db, la, &beta, dc, lc, dd, lc, NULL, NULL, 0, NULL), REFUSED);
	equal("no algorithm", cublasLtMatmulAlgoGetHeuristic(handle, product, la, la, lc, lc, preference, 1, &heuristic, &found) + found, REFUSED);
	MUST(cublasLtMatrixLayoutDestroy(la));
	MUST(cublasLtMatmulDescDestroy(product));
	MUST(cublasLtDestroy(handle));
	return 0;
}
