// A program of the driver API that uses cuRAND, cuFFT, cuSPARSE and NCCL, with a line for each case.
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

int cuInit(unsigned), cuDevicePrimaryCtxRetain(void **, int), cuCtxSetCurrent(void *);
int cuMemAlloc_v2(void **, size_t), cuMemcpyHtoD_v2(void *, const void *, size_t), cuMemcpyDtoH_v2(void *, const void *, size_t);
int curandCreateGenerator(void **, int), curandSetPseudoRandomGeneratorSeed(void *, unsigned long long), curandSetStream(void *, void *), curandDestroyGenerator(void *);
int curandGenerate(void *, unsigned *, size_t), curandGenerateUniform(void *, float *, size_t), curandGenerateNormal(void *, float *, size_t, float, float), curandGenerateNormalDouble(void *, double *, size_t, double, double);
int cufftPlan1d(int *, int, int, int), cufftPlan2d(int *, int, int, int), cufftPlanMany(int *, int, int *, int *, int, int, int *, int, int, int, int), cufftDestroy(int), cufftSetStream(int, void *);
int cufftExecC2C(int, void *, void *, int), cufftExecR2C(int, void *, void *), cufftExecD2Z(int, void *, void *), cufftExecZ2D(int, void *, void *);
int cusparseCreate(void **), cusparseDestroy(void *), cusparseCreateDnVec(void **, int64_t, void *, int), cusparseDestroyDnVec(void *), cusparseSpMatGetSize(void *, int64_t *, int64_t *, int64_t *);
int cusparseCreateCsr(void **, int64_t, int64_t, int64_t, void *, void *, void *, int, int, int, int);
int cusparseSpMV_bufferSize(void *, int, const void *, void *, void *, const void *, void *, int, int, size_t *), cusparseSpMV(void *, int, const void *, void *, void *, const void *, void *, int, int, void *);
typedef struct {
	char bytes[128];
} ncclUniqueId;
int ncclGetUniqueId(ncclUniqueId *), ncclCommInitRank(void **, int, ncclUniqueId, int), ncclCommCount(void *, int *), ncclCommDestroy(void *);
int ncclAllReduce(const void *, void *, size_t, int, int, void *, void *), ncclSend(const void *, size_t, int, int, void *, void *), ncclRecv(void *, size_t, int, int, void *, void *), ncclGroupStart(void), ncclGroupEnd(void);

static void *alloc(size_t size) {
	void *p;
	MUST(cuMemAlloc_v2(&p, size));
	return p;
}

static void random_numbers(void) {
	enum { MT19937 = 142, N = 1000 };
	void *g;
	unsigned first, *bits = alloc(4 * N);
	float uniform[N], *floats = alloc(4 * N);
	double normal[N], *doubles = alloc(8 * N), sum = 0, other = 0;
	MUST(curandCreateGenerator(&g, MT19937));
	MUST(curandSetPseudoRandomGeneratorSeed(g, 5489));
	MUST(curandGenerate(g, bits, 1));
	MUST(cuMemcpyDtoH_v2(&first, bits, 4));
	equal("first number", first, 3499211612);
	MUST(curandGenerateUniform(g, floats, N));
	MUST(cuMemcpyDtoH_v2(uniform, floats, sizeof uniform));
	MUST(curandGenerateNormalDouble(g, doubles, N, 3, 2));
	MUST(cuMemcpyDtoH_v2(normal, doubles, sizeof normal));
	for (int i = 0; i < N; i++)
		sum += uniform[i], other += normal[i];
	equal("uniform", fabs(sum / N - 0.5) < 0.05, 1);
	equal("normal", fabs(other / N - 3) < 0.3, 1);
	MUST(curandGenerateNormal(g, floats, N, -100, 1));
	MUST(cuMemcpyDtoH_v2(uniform, floats, sizeof uniform));
	equal("normal floats", fabs(uniform[0] + 100) < 10 && fabs(uniform[N - 1] + 100) < 10, 1);
	equal("odd count", curandGenerateNormal(g, floats, 3, 0, 1), 104);
	MUST(curandDestroyGenerator(g));
}

static void transforms(void) {
	enum { C2C = 0x29, R2C = 0x2a, D2Z = 0x6a, Z2D = 0x6c };
	float line[] = {1, 0, 2, 0, 3, 0, 4, 0}, in_place[10] = {1, 2, 3, 4, 0, 0, 5, 6, 7, 8}, *d = alloc(sizeof in_place);
	int plan, n[] = {4}, whole[] = {4}, half[] = {3};
	MUST(cufftPlan1d(&plan, 4, C2C, 1));
	MUST(cuMemcpyHtoD_v2(d, line, sizeof line));
	MUST(cufftExecC2C(plan, d, d, -1));
	MUST(cuMemcpyDtoH_v2(line, d, sizeof line));
	equal("forward", line[0] == 10 && line[1] == 0 && line[2] == -2 && line[3] == 2 && line[4] == -2 && line[6] == -2 && line[7] == -2, 1);
	MUST(cufftExecC2C(plan, d, d, 1));
	MUST(cuMemcpyDtoH_v2(line, d, sizeof line));
	equal("inverse", line[0] == 4 && line[2] == 8 && line[4] == 12 && line[6] == 16, 1);
	equal("another type", cufftExecR2C(plan, d, d), 3);
	MUST(cufftDestroy(plan));
	equal("no plan", cufftExecC2C(plan, d, d, 1), 1);

	double rows[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *real = alloc(sizeof rows), *complex = alloc(2 * 3 * 16);
	MUST(cufftPlanMany(&plan, 1, n, whole, 1, 4, half, 1, 3, D2Z, 2));
	MUST(cuMemcpyHtoD_v2(real, rows, sizeof rows));
	MUST(cufftExecD2Z(plan, real, complex));
	MUST(cufftDestroy(plan));
	MUST(cufftPlan1d(&plan, 4, Z2D, 2));
	MUST(cufftExecZ2D(plan, complex, real));
	MUST(cuMemcpyDtoH_v2(rows, real, sizeof rows));
	equal("real, there and back", rows[0] == 4 && rows[3] == 16 && rows[4] == 20 && rows[7] == 32, 1);

	float spectrum[12];
	MUST(cufftPlan2d(&plan, 2, 4, R2C));
	float *padded = alloc(2 * 6 * 4);
	MUST(cuMemcpyHtoD_v2(padded, in_place, sizeof in_place));
	MUST(cufftExecR2C(plan, padded, padded));
	MUST(cuMemcpyDtoH_v2(spectrum, padded, sizeof spectrum));
	equal("real in place", spectrum[0] == 36 && spectrum[2] == -4 && spectrum[3] == 4 && spectrum[6] == -16, 1);
}

static void sparse(void) {
	enum { INT32 = 2, DOUBLE = 1 };
	int offsets[] = {0, 2, 3}, columns[] = {0, 2, 1};
	double values[] = {1, 2, 3}, x[] = {10, 20, 30}, y[] = {1, 1}, alpha = 2, beta = 5;
	void *h, *a, *vx, *vy, *d[5] = {alloc(sizeof offsets), alloc(sizeof columns), alloc(sizeof values), alloc(sizeof x), alloc(sizeof y)};
	const void *from[] = {offsets, columns, values, x, y};
	const size_t sizes[] = {sizeof offsets, sizeof columns, sizeof values, sizeof x, sizeof y};
	int64_t rows, width, elements;
	size_t room = 0;
	for (int i = 0; i < 5; i++)
		MUST(cuMemcpyHtoD_v2(d[i], from[i], sizes[i]));
	MUST(cusparseCreate(&h));
	MUST(cusparseCreateCsr(&a, 2, 3, 3, d[0], d[1], d[2], INT32, INT32, 0, DOUBLE));
	MUST(cusparseSpMatGetSize(a, &rows, &width, &elements));
	equal("size", rows * 100 + width * 10 + elements, 233);
	MUST(cusparseCreateDnVec(&vx, 3, d[3], DOUBLE));
	MUST(cusparseCreateDnVec(&vy, 2, d[4], DOUBLE));
	MUST(cusparseSpMV_bufferSize(h, 0, &alpha, a, vx, &beta, vy, DOUBLE, 0, &room));
	MUST(cusparseSpMV(h, 0, &alpha, a, vx, &beta, vy, DOUBLE, 0, room > 0 ? alloc(room) : NULL));
	MUST(cuMemcpyDtoH_v2(y, d[4], sizeof y));
	equal("sparse product", y[0] * 1000 + y[1], 145125);
	MUST(cusparseDestroyDnVec(vx));
	equal("destroyed vector", cusparseSpMV(h, 0, &alpha, a, vx, &beta, vy, DOUBLE, 0, NULL), 3);
	MUST(cusparseDestroy(h));
}

static void collectives(void) {
	enum { INT = 2, SUM = 0 };
	ncclUniqueId id;
	void *c, *more;
	int values[] = {1, 2, 3}, got[3] = {0}, *a = alloc(sizeof values), *b = alloc(sizeof values), ranks = 0;
	MUST(ncclGetUniqueId(&id));
	MUST(ncclCommInitRank(&c, 1, id, 0));
	MUST(ncclCommCount(c, &ranks));
	equal("ranks", ranks, 1);
	MUST(cuMemcpyHtoD_v2(a, values, sizeof values));
	MUST(ncclAllReduce(a, b, 3, INT, SUM, c, NULL));
	MUST(cuMemcpyDtoH_v2(got, b, sizeof got));
	equal("all-reduce", memcmp(got, values, sizeof got), 0);
	MUST(ncclGroupStart());
	MUST(ncclRecv(b, 2, INT, 0, c, NULL));
	MUST(ncclSend(a + 1, 2, INT, 0, c, NULL));
	MUST(ncclGroupEnd());
	MUST(cuMemcpyDtoH_v2(got, b, sizeof got));
	equal("send and receive", got[0] * 100 + got[1] * 10 + got[2], 233);
	equal("send alone", ncclSend(a, 1, INT, 0, c, NULL), 5);
	MUST(ncclGetUniqueId(&id));
	equal("two ranks", ncclCommInitRank(&more, 2, id, 0), 6);
	MUST(ncclCommDestroy(c));
}

int main(void) {
	void *context;
	MUST(cuInit(0));
	MUST(cuDevicePrimaryCtxRetain(&context, 0));
	MUST(cuCtxSetCurrent(context));
	random_numbers();
	transforms();
	sparse();
	collectives();
	return 0;
}
