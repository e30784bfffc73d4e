// Launches of the driver API. Those of kernels that are instrumented are ptxsan's to begin.
#include "attached.h"
#include "launch.h"

#include <string.h>

int attached_capturing(CUstream s, int per_thread) {
	int status = 0;
	if (per_thread && HAS(cuStreamIsCapturing_ptsz))
		return REAL(cuStreamIsCapturing_ptsz)(s, &status) == CUDA_SUCCESS && status != 0;
	return HAS(cuStreamIsCapturing) && REAL(cuStreamIsCapturing)(s, &status) == CUDA_SUCCESS && status != 0;
}

void attached_passed(const char *name, uint64_t why) {
	struct wire_part parts[] = {{&why, sizeof why}, {name, strlen(name)}};
	attached_call(REQ_PASSED, parts, 2, NULL, NULL, 0);
}

CUresult attached_launch(const struct attached_launch *l) {
	if (!attached_outside())
		return l->start(l, l->shared);
	if (attached_capturing(l->stream, l->per_thread)) // a graph's kernels are launched with it
		return INSIDE(l->start(l, l->shared));
	struct attached_kernel *k = attached_find(l->f);
	if (k == NULL || k->module == 0) {
		attached_passed(k == NULL ? "a kernel" : k->name, NO_PTX);
		return INSIDE(l->start(l, l->shared));
	}
	uint64_t outcome = 0, words[13] = {k->module};
	for (int i = 0; i < 3; i++)
		words[1 + i] = l->grid[i], words[4 + i] = l->block[i], words[7 + i] = l->cluster[i];
	words[10] = l->shared, words[11] = l->cooperative, words[12] = attached_context();
	struct wire_part parts[] = {{words, sizeof words}, {k->name, strlen(k->name)}};
	struct attached_subject s = {.launch = l};
	if (attached_call(REQ_LAUNCH, parts, 2, &s, &outcome, 1) == PASSED)
		return INSIDE(l->start(l, l->shared));
	return outcome;
}

#define EXTENT l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2]

// PLAIN defines cuLaunchKernel, COOPERATIVE cuLaunchCooperativeKernel and EX cuLaunchKernelEx, for both
// kinds of default streams.
#define PLAIN(name, of_thread)                                                                                                                                                                         \
	EXPORT CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra);                   \
	static CUresult start_##name(const struct attached_launch *l, unsigned shared) { return REAL(name)(l->f, EXTENT, shared, l->stream, l->params, l->extra); }                                        \
	CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra) {                         \
		struct attached_launch l = {f, {gx, gy, gz}, {bx, by, bz}, {0}, shared, 0, stream, of_thread, params, extra, NULL, start_##name};                                                              \
		return attached_launch(&l);                                                                                                                                                                             \
	}
PLAIN(cuLaunchKernel, 0)
PLAIN(cuLaunchKernel_ptsz, 1)

#define COOPERATIVE(name, of_thread)                                                                                                                                                                   \
	EXPORT CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params);                                 \
	static CUresult start_##name(const struct attached_launch *l, unsigned shared) { return REAL(name)(l->f, EXTENT, shared, l->stream, l->params); }                                                  \
	CUresult name(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params) {                                       \
		struct attached_launch l = {f, {gx, gy, gz}, {bx, by, bz}, {0}, shared, 1, stream, of_thread, params, NULL, NULL, start_##name};                                                               \
		return attached_launch(&l);                                                                                                                                                                             \
	}
COOPERATIVE(cuLaunchCooperativeKernel, 0)
COOPERATIVE(cuLaunchCooperativeKernel_ptsz, 1)

static struct attached_launch configured(const struct launch_config *c, CUfunction f, void **params, void **extra) {
	struct attached_launch l = {.f = f, .shared = c->shared, .stream = c->stream, .params = params, .extra = extra, .config = c};
	memcpy(l.grid, c->grid, sizeof l.grid);
	memcpy(l.block, c->block, sizeof l.block);
	struct launch_order order; // ptxsan executes launches one after the other
	launch_attributes(c->attributes, c->nattributes, &l.cooperative, l.cluster, &order);
	return l;
}

#define EX(name, of_thread)                                                                                  \
	EXPORT CUresult name(const struct launch_config *c, CUfunction f, void **params, void **extra);          \
	static CUresult start_##name(const struct attached_launch *l, unsigned shared) {                         \
		struct launch_config c = *(const struct launch_config *)l->config;                                   \
		c.shared = shared;                                                                                   \
		return REAL(name)(&c, l->f, l->params, l->extra);                                                    \
	}                                                                                                        \
	CUresult name(const struct launch_config *c, CUfunction f, void **params, void **extra) {                \
		if (c == NULL)                                                                                       \
			return REAL(name)(c, f, params, extra);                                                          \
		struct attached_launch l = configured(c, f, params, extra);                                          \
		l.per_thread = of_thread, l.start = start_##name;                                                    \
		return attached_launch(&l);                                                                                   \
	}
EX(cuLaunchKernelEx, 0)
EX(cuLaunchKernelEx_ptsz, 1)
