// cuFFT's plans (cuFFT, "cuFFT API Reference"): what a transform is, which the other end is told when it is executed. Transforms need
// no work area here.
#include "library.h"

#include <pthread.h>
#include <stdlib.h>

typedef int cufftResult;
typedef int cufftHandle;

enum {
	CUFFT_SUCCESS = 0,
	CUFFT_INVALID_PLAN = 1,
	CUFFT_ALLOC_FAILED = 2,
	CUFFT_INVALID_TYPE = 3,
	CUFFT_INVALID_VALUE = 4,
	CUFFT_EXEC_FAILED = 6,
	CUFFT_SETUP_FAILED = 7,
	CUFFT_INVALID_SIZE = 8,
	CUFFT_NOT_SUPPORTED = 16,
};
enum { R2C = 0x2a, C2R = 0x2c, C2C = 0x29, D2Z = 0x6a, Z2D = 0x6c, Z2Z = 0x69 };
enum { FORWARD = -1, INVERSE = 1, DIMENSIONS = 3 };

static cufftResult failed(cufftResult result) {
	static const struct {
		int result;
		const char *name, *text;
	} texts[] = {
		{1, "CUFFT_INVALID_PLAN", "invalid plan handle"},
		{2, "CUFFT_ALLOC_FAILED", "out of memory"},
		{3, "CUFFT_INVALID_TYPE", "a plan of another type"},
		{4, "CUFFT_INVALID_VALUE", "invalid pointer or parameter"},
		{6, "CUFFT_EXEC_FAILED", "the transform failed on the GPU"},
		{8, "CUFFT_INVALID_SIZE", "invalid size of a transform"},
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].result == result)
			wire_failed(result, texts[i].name, texts[i].text);
	return result;
}

int library_status(int error) {
	switch (error) {
	case WIRE_OK: return CUFFT_SUCCESS;
	case WIRE_INVALID_VALUE: return failed(CUFFT_INVALID_VALUE);
	case WIRE_OUT_OF_MEMORY: return failed(CUFFT_ALLOC_FAILED);
	case WIRE_NOT_SUPPORTED: return CUFFT_NOT_SUPPORTED;
	case WIRE_NOT_INITIALIZED: case WIRE_NO_DEVICE: return CUFFT_SETUP_FAILED;
	default: return failed(CUFFT_EXEC_FAILED);
	}
}

struct side {
	int64_t embed[DIMENSIONS], stride, distance;
};

// A plan. In the basic layout, its arrays have no gaps but those of real data in place.
struct plan {
	struct library_handle handle;
	int made, type, rank, basic;
	int64_t n[DIMENSIONS], batch;
	struct side in, out;
};

// Handles are numbers, from 1.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct plan **plans;
static int count;

static struct plan *plan_of(cufftHandle h) {
	pthread_mutex_lock(&lock);
	struct plan *p = h >= 1 && h <= count ? plans[h - 1] : NULL;
	pthread_mutex_unlock(&lock);
	return p;
}

EXPORT cufftResult cufftCreate(cufftHandle *h) {
	int error = wire_ready();
	if (error != WIRE_OK)
		return library_status(error);
	pthread_mutex_lock(&lock);
	int at = 0;
	while (at < count && plans[at] != NULL)
		at++;
	struct plan **more = at < count ? plans : realloc(plans, (count + 1) * sizeof *plans), *p = calloc(1, sizeof *p);
	if (more != NULL)
		plans = more;
	if (more != NULL && p != NULL) {
		count += at == count;
		plans[at] = p;
		*h = at + 1;
	} else {
		free(p), p = NULL;
	}
	pthread_mutex_unlock(&lock);
	return p == NULL ? failed(CUFFT_ALLOC_FAILED) : CUFFT_SUCCESS;
}

EXPORT cufftResult cufftDestroy(cufftHandle h) {
	struct plan *p = plan_of(h);
	if (p == NULL)
		return failed(CUFFT_INVALID_PLAN);
	pthread_mutex_lock(&lock);
	plans[h - 1] = NULL;
	pthread_mutex_unlock(&lock);
	free(p);
	return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetStream(cufftHandle h, struct stream *s) {
	struct plan *p = plan_of(h);
	if (p == NULL)
		return failed(CUFFT_INVALID_PLAN);
	p->handle.stream = s;
	return CUFFT_SUCCESS;
}

static int is_real(int type) { return type == R2C || type == D2Z || type == C2R || type == Z2D; }

// row is how many elements the last dimension has on a side: of complex elements of a real transform half, and of real ones in
// place as much as these take.
static int64_t row(const struct plan *p, int input, int in_place) {
	int64_t n = p->n[p->rank - 1];
	int forward = p->type == R2C || p->type == D2Z;
	if (!is_real(p->type))
		return n;
	if (input != forward)
		return n / 2 + 1;
	return in_place ? 2 * (n / 2 + 1) : n;
}

// basic is the layout without gaps.
static struct side basic(const struct plan *p, int input, int in_place) {
	struct side s = {.stride = 1, .distance = 1};
	for (int i = 0; i < p->rank; i++) {
		s.embed[i] = i == p->rank - 1 ? row(p, input, in_place) : p->n[i];
		s.distance *= s.embed[i];
	}
	return s;
}

static cufftResult make(cufftHandle h, int rank, const int64_t *n, const struct side *in, const struct side *out, int type, int64_t batch, size_t *work) {
	struct plan *p = plan_of(h);
	if (p == NULL || p->made)
		return failed(CUFFT_INVALID_PLAN);
	if (type != C2C && type != Z2Z && !is_real(type))
		return failed(CUFFT_INVALID_TYPE);
	if (rank < 1 || rank > DIMENSIONS || batch < 1)
		return failed(CUFFT_INVALID_SIZE);
	for (int i = 0; i < rank; i++)
		if (n[i] < 1 || n[i] > INT32_MAX)
			return failed(CUFFT_INVALID_SIZE);
	p->made = 1, p->type = type, p->rank = rank, p->batch = batch, p->basic = in == NULL;
	memcpy(p->n, n, rank * sizeof *n);
	if (in != NULL)
		p->in = *in, p->out = *out;
	if (work != NULL)
		*work = 0;
	return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftMakePlan1d(cufftHandle h, int n, int type, int batch, size_t *work) { return make(h, 1, (int64_t[]){n}, NULL, NULL, type, batch, work); }
EXPORT cufftResult cufftMakePlan2d(cufftHandle h, int nx, int ny, int type, size_t *work) { return make(h, 2, (int64_t[]){nx, ny}, NULL, NULL, type, 1, work); }
EXPORT cufftResult cufftMakePlan3d(cufftHandle h, int nx, int ny, int nz, int type, size_t *work) { return make(h, 3, (int64_t[]){nx, ny, nz}, NULL, NULL, type, 1, work); }

// MANY defines the function for one type of integers. Without extents of the arrays that hold the data, the layout is the basic one.
#define MANY(name, integer)                                                                                                                  \
	EXPORT cufftResult name(cufftHandle h, int rank, integer *n, integer *inembed, integer istride, integer idist, integer *onembed, integer ostride, integer odist, int type, integer batch, size_t *work) { \
		int64_t extents[DIMENSIONS] = {0};                                                                                                   \
		struct side in = {.stride = istride, .distance = idist}, out = {.stride = ostride, .distance = odist};                               \
		for (int i = 0; i < rank && i < DIMENSIONS; i++) {                                                                                   \
			extents[i] = n[i];                                                                                                               \
			if (inembed != NULL && onembed != NULL)                                                                                          \
				in.embed[i] = inembed[i], out.embed[i] = onembed[i];                                                                         \
		}                                                                                                                                    \
		int given = inembed != NULL && onembed != NULL;                                                                                      \
		return make(h, rank, extents, given ? &in : NULL, given ? &out : NULL, type, batch, work);                                           \
	}
MANY(cufftMakePlanMany, int)
MANY(cufftMakePlanMany64, long long)

// PLANNED is the value of a call that makes a plan, which is created first.
#define PLANNED(call)                       \
	do {                                    \
		cufftResult result = cufftCreate(h); \
		if (result == CUFFT_SUCCESS && (result = (call)) != CUFFT_SUCCESS) \
			cufftDestroy(*h);               \
		return result;                      \
	} while (0)

EXPORT cufftResult cufftPlan1d(cufftHandle *h, int n, int type, int batch) { PLANNED(cufftMakePlan1d(*h, n, type, batch, NULL)); }
EXPORT cufftResult cufftPlan2d(cufftHandle *h, int nx, int ny, int type) { PLANNED(cufftMakePlan2d(*h, nx, ny, type, NULL)); }
EXPORT cufftResult cufftPlan3d(cufftHandle *h, int nx, int ny, int nz, int type) { PLANNED(cufftMakePlan3d(*h, nx, ny, nz, type, NULL)); }
EXPORT cufftResult cufftPlanMany(cufftHandle *h, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, int type, int batch) {
	PLANNED(cufftMakePlanMany(*h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, NULL));
}

static struct library_argument *side_of(struct library_argument *a, const struct side *s) {
	for (int i = 0; i < DIMENSIONS; i++)
		*a++ = library_value((uint64_t)s->embed[i]);
	return a;
}

static cufftResult execute(const char *name, cufftHandle h, int type, void *from, void *to, int direction) {
	struct plan *p = plan_of(h);
	if (p == NULL || !p->made)
		return failed(CUFFT_INVALID_PLAN);
	if (p->type != type)
		return failed(CUFFT_INVALID_TYPE);
	struct side in = p->basic ? basic(p, 1, from == to) : p->in, out = p->basic ? basic(p, 0, from == to) : p->out;
	struct library_argument list[18] = {library_pointer(from), library_pointer(to), library_value((uint64_t)(int64_t)direction), library_value(p->rank), library_value((uint64_t)p->batch)}, *next = list + 5;
	for (int i = 0; i < DIMENSIONS; i++)
		*next++ = library_value((uint64_t)p->n[i]);
	next = side_of(side_of(next, &in), &out);
	const int64_t steps[] = {in.stride, in.distance, out.stride, out.distance};
	for (int i = 0; i < 4; i++)
		*next++ = library_value((uint64_t)steps[i]);
	return library_status(library_call(&p->handle, name, list, next - list));
}

EXPORT cufftResult cufftExecC2C(cufftHandle h, void *from, void *to, int direction) { return execute("cufftExecC2C", h, C2C, from, to, direction); }
EXPORT cufftResult cufftExecZ2Z(cufftHandle h, void *from, void *to, int direction) { return execute("cufftExecZ2Z", h, Z2Z, from, to, direction); }
EXPORT cufftResult cufftExecR2C(cufftHandle h, void *from, void *to) { return execute("cufftExecR2C", h, R2C, from, to, FORWARD); }
EXPORT cufftResult cufftExecD2Z(cufftHandle h, void *from, void *to) { return execute("cufftExecD2Z", h, D2Z, from, to, FORWARD); }
EXPORT cufftResult cufftExecC2R(cufftHandle h, void *from, void *to) { return execute("cufftExecC2R", h, C2R, from, to, INVERSE); }
EXPORT cufftResult cufftExecZ2D(cufftHandle h, void *from, void *to) { return execute("cufftExecZ2D", h, Z2D, from, to, INVERSE); }

// Sizes of work areas.
static cufftResult none(size_t *work) {
	*work = 0;
	return CUFFT_SUCCESS;
}
EXPORT cufftResult cufftEstimate1d(int n, int type, int batch, size_t *work) { return (void)n, (void)type, (void)batch, none(work); }
EXPORT cufftResult cufftEstimate2d(int nx, int ny, int type, size_t *work) { return (void)nx, (void)ny, (void)type, none(work); }
EXPORT cufftResult cufftEstimate3d(int nx, int ny, int nz, int type, size_t *work) { return (void)nx, (void)ny, (void)nz, (void)type, none(work); }
EXPORT cufftResult cufftGetSize(cufftHandle h, size_t *work) { return plan_of(h) == NULL ? failed(CUFFT_INVALID_PLAN) : none(work); }
EXPORT cufftResult cufftGetSize1d(cufftHandle h, int n, int type, int batch, size_t *work) { return (void)h, cufftEstimate1d(n, type, batch, work); }
EXPORT cufftResult cufftGetSize2d(cufftHandle h, int nx, int ny, int type, size_t *work) { return (void)h, cufftEstimate2d(nx, ny, type, work); }
EXPORT cufftResult cufftGetSize3d(cufftHandle h, int nx, int ny, int nz, int type, size_t *work) { return (void)h, cufftEstimate3d(nx, ny, nz, type, work); }
EXPORT cufftResult cufftSetWorkArea(cufftHandle h, void *area) { return (void)area, plan_of(h) == NULL ? failed(CUFFT_INVALID_PLAN) : CUFFT_SUCCESS; }
EXPORT cufftResult cufftSetAutoAllocation(cufftHandle h, int on) { return (void)on, plan_of(h) == NULL ? failed(CUFFT_INVALID_PLAN) : CUFFT_SUCCESS; }

EXPORT cufftResult cufftGetVersion(int *version) {
	*version = library_version() * 1000;
	return CUFFT_SUCCESS;
}
EXPORT cufftResult cufftGetProperty(int type, int *value) {
	*value = type == 0 ? library_version() : 0;
	return CUFFT_SUCCESS;
}
