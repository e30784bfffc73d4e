// Launches of the driver API that are set up in steps, as CUDA had them before version 4: the block, the
// parameters, and then the grid. The driver keeps the parameters; the block is remembered here, too.
#include "attached.h"

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction f, unsigned size);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int width, int height);
CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream);

EXPORT CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
	CUresult error = INSIDE(REAL(cuFuncSetBlockShape)(f, x, y, z));
	struct attached_kernel *k = error == CUDA_SUCCESS && attached_outside() ? attached_find(f) : NULL;
	if (k != NULL)
		k->block[0] = x, k->block[1] = y, k->block[2] = z;
	return error;
}

EXPORT CUresult cuFuncSetSharedSize(CUfunction f, unsigned size) {
	CUresult error = INSIDE(REAL(cuFuncSetSharedSize)(f, size));
	struct attached_kernel *k = error == CUDA_SUCCESS && attached_outside() ? attached_find(f) : NULL;
	if (k != NULL)
		k->shared = size;
	return error;
}

// start launches with the dynamic shared memory that the detector needs.
static CUresult start(const struct attached_launch *l, unsigned shared) {
	if (shared > l->shared)
		REAL(cuFuncSetSharedSize)(l->f, shared);
	CUresult error = l->stream != NULL ? REAL(cuLaunchGridAsync)(l->f, l->grid[0], l->grid[1], l->stream) : REAL(cuLaunchGrid)(l->f, l->grid[0], l->grid[1]);
	if (shared > l->shared)
		REAL(cuFuncSetSharedSize)(l->f, l->shared);
	return error;
}

EXPORT CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream) {
	struct attached_launch l = {.f = f, .grid = {width, height, 1}, .stream = stream, .start = start};
	struct attached_kernel *k = attached_outside() ? attached_find(f) : NULL;
	for (int i = 0; i < 3; i++)
		l.block[i] = k == NULL ? 1 : k->block[i];
	l.shared = k == NULL ? 0 : k->shared;
	return attached_launch(&l);
}

EXPORT CUresult cuLaunchGrid(CUfunction f, int width, int height) { return cuLaunchGridAsync(f, width, height, NULL); }
EXPORT CUresult cuLaunch(CUfunction f) { return cuLaunchGridAsync(f, 1, 1, NULL); }
