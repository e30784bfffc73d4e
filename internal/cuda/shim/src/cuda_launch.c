// Launches of the driver API.
#include "cuda_graph.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>

// The parameters of a launch in one piece: pairs of a key and a value, up to END.
enum { EXTRA_END, EXTRA_POINTER, EXTRA_SIZE };

// record makes a launch a node of the graph that its stream captures. Nodes have neither clusters nor barriers of grids.
static CUresult record(CUfunction f, const struct wire_launch *l, CUstream stream, void **params, const void *block, size_t size) {
	enum { CAPTURE_UNSUPPORTED = 900 };
	const struct wire_function *k = f->kernel;
	void *pointers[WIRE_MAX_PARAMS];
	if (l->cooperative || l->cluster[0] > 0)
		return CAPTURE_UNSUPPORTED;
	if (WIRE_DEVICE_OF(f->epoch) != device_of_stream(stream))
		return CUDA_ERROR_INVALID_HANDLE;
	for (uint32_t i = 0; params == NULL && i < k->nparams; i++) {
		if (block == NULL || k->params[i].offset + k->params[i].size > size)
			return CUDA_ERROR_INVALID_VALUE;
		pointers[i] = (char *)block + k->params[i].offset;
	}
	struct kernel_node node = {.function = f, .shared = l->shared, .params = params != NULL ? params : pointers};
	memcpy(node.grid, l->grid, sizeof node.grid);
	memcpy(node.block, l->block, sizeof node.block);
	return captured_launch(stream, record_kernel(recording(stream), &node), l->overlaps);
}

static CUresult launch(CUfunction f, struct wire_launch *l, CUstream stream, void **params, void **extra) {
	const void *block = NULL;
	size_t size = 0;
	CUresult error = function_on(&f, device_of_stream(stream));
	if (error != CUDA_SUCCESS)
		return error;
	for (void **e = extra; params == NULL && e != NULL && (uintptr_t)e[0] != EXTRA_END; e += 2) {
		if ((uintptr_t)e[0] == EXTRA_POINTER)
			block = e[1];
		if ((uintptr_t)e[0] == EXTRA_SIZE)
			size = *(size_t *)e[1];
	}
	if (recording(stream) != NULL)
		return record(f, l, stream, params, block, size);
	error = bind_texrefs();
	if (error != CUDA_SUCCESS)
		return error;
	l->function = f->kernel->id;
	return IN(stream_id(stream), wire_launch(l, f->kernel, params, block, size));
}

EXPORT CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra) {
	struct wire_launch l = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared};
	return failed(launch(f, &l, stream, params, extra));
}
PTSZ(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **))

EXPORT CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params) {
	struct wire_launch l = {.grid = {gx, gy, gz}, .block = {bx, by, bz}, .shared = shared, .cooperative = 1};
	return failed(launch(f, &l, stream, params, NULL));
}
PTSZ(cuLaunchCooperativeKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **))

EXPORT CUresult cuLaunchKernelEx(const struct launch_config *c, CUfunction f, void **params, void **extra) {
	struct wire_launch l = {.shared = c->shared};
	memcpy(l.grid, c->grid, sizeof l.grid);
	memcpy(l.block, c->block, sizeof l.block);
	struct launch_order order = {0};
	launch_attributes(c->attributes, c->nattributes, &l.cooperative, l.cluster, &order);
	l.overlaps = order.overlaps;
	CUresult error = launch(f, &l, c->stream, params, extra);
	return failed(error == CUDA_SUCCESS ? launch_events(&order, c->stream) : error);
}
PTSZ(cuLaunchKernelEx, (const struct launch_config *, CUfunction, void **, void **))

// Launches that are set up in steps: the block, the parameters, and then the grid. CUDA has
// deprecated them in version 4, and PyCUDA uses them.
EXPORT CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
	if (!LIVE(f))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	f->block[0] = x, f->block[1] = y, f->block[2] = z;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuFuncSetSharedSize(CUfunction f, unsigned size) {
	if (!LIVE(f))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	f->shared = size;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuParamSetSize(CUfunction f, unsigned size) {
	if (!LIVE(f) || size > WIRE_MAX_PARAM_BYTES)
		return failed(!LIVE(f) ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
	f->params_size = size;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuParamSetv(CUfunction f, int offset, const void *value, unsigned size) {
	if (!LIVE(f) || offset < 0 || size > WIRE_MAX_PARAM_BYTES || (unsigned)offset > WIRE_MAX_PARAM_BYTES - size)
		return failed(!LIVE(f) ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE);
	if (f->params == NULL && (f->params = calloc(1, WIRE_MAX_PARAM_BYTES)) == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	memcpy(f->params + offset, value, size);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuParamSeti(CUfunction f, int offset, unsigned value) { return cuParamSetv(f, offset, &value, sizeof value); }
EXPORT CUresult cuParamSetf(CUfunction f, int offset, float value) { return cuParamSetv(f, offset, &value, sizeof value); }

static CUresult launch_grid(CUfunction f, int width, int height, CUstream stream) {
	if (!LIVE(f))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult error = bind_texrefs();
	if (error != CUDA_SUCCESS)
		return error;
	struct wire_launch l = {
		.function = f->kernel->id,
		.grid = {width, height, 1},
		.block = {f->block[0], f->block[1], f->block[2]},
		.shared = f->shared,
	};
	return IN(stream_id(stream), wire_launch(&l, f->kernel, NULL, f->params != NULL ? f->params : (const void *)"", f->params != NULL ? f->params_size : 0));
}

EXPORT CUresult cuLaunchGrid(CUfunction f, int width, int height) { return failed(launch_grid(f, width, height, NULL)); }
EXPORT CUresult cuLaunch(CUfunction f) { return failed(launch_grid(f, 1, 1, NULL)); }

EXPORT CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream) {
	return failed(launch_grid(f, width, height, stream));
}
